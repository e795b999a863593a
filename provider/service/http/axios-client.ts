import http from "node:http";
import https from "node:https";
import axios, { type AxiosInstance } from "axios";

/**
 * Creates the axios client of a transport: connections are kept alive, redirects are not followed, and every status is
 * an answer. It has a file of its own, which is loaded together with axios at the first request.
 *
 * @param userAgent value of the `User-Agent` header
 */
export function createAxiosClient(agentOptions: http.AgentOptions, userAgent: string): AxiosInstance {
  return axios.create({
    httpAgent: new http.Agent(agentOptions),
    httpsAgent: new https.Agent(agentOptions),
    proxy: false, // see TunnelAgent
    maxRedirects: 0,
    validateStatus: null,
    responseType: "stream",
    headers: { Accept: "application/problem+json, application/json", "User-Agent": userAgent },
  });
}
