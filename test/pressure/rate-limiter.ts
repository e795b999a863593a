import http from "node:http";
import type { AddressInfo } from "node:net";

/** How a gateway limits requests: a number in each second, counted in windows or as tokens that fill a bucket. */
export interface RateLimit {
  readonly perSecond: number;
  readonly by: "windows" | "tokens";
  /** Whether a refusal says for how long to wait. */
  readonly saysWhen: boolean;
}

/** A gateway in front of a service. */
export interface RateLimiter {
  readonly url: string;
  /** Requests that it got, those that it refused included. */
  readonly requests: number;
  readonly close: () => void;
}

/** Starts a gateway that passes requests on to a service, and answers 429 to those that are too many. */
export async function startRateLimiter(service: string, limit: RateLimit): Promise<RateLimiter> {
  const { origin, pathname, port, hostname } = new URL(service);
  const isAllowed = limit.by === "windows" ? windows(limit.perSecond) : tokens(limit.perSecond);
  const agent = new http.Agent({ keepAlive: true });
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests += 1;
    if (!isAllowed(performance.now())) {
      request.resume();
      response.writeHead(429, limit.saysWhen ? { "retry-after": "1" } : {}).end();
      return;
    }
    const { method, url, headers } = request;
    const passed = http.request({ hostname, port, method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `${origin.replace(port, String(address.port))}${pathname}`,
    get requests() {
      return requests;
    },
    close: () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

function windows(perSecond: number): (nowMs: number) => boolean {
  let endsMs = -Infinity;
  let used = 0;
  return (nowMs) => {
    if (nowMs >= endsMs) {
      endsMs = nowMs + 1_000;
      used = 0;
    }
    used += 1;
    return used <= perSecond;
  };
}

function tokens(perSecond: number): (nowMs: number) => boolean {
  let left = perSecond;
  let filledMs = -Infinity;
  return (nowMs) => {
    left = Math.min(perSecond, left + ((nowMs - filledMs) * perSecond) / 1_000);
    filledMs = nowMs;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
