import type { IncomingMessage } from "node:http";
import { jsonAnswer, type Answer } from "../http/http-answer.js";
import { matchPath } from "../http/path-template.js";
import { mistakesIn } from "../input/json-mistakes.js";
import { CONTROL_PATH, CONTROL_ROUTES, type Controlled, type ControlRoute } from "./control-routes.js";

/** Returns whether a request is meant for the control, whether the control serves it or not. */
export function isForControl({ url = "/" }: IncomingMessage): boolean {
  return url === CONTROL_PATH || url.startsWith(`${CONTROL_PATH}/`);
}

/**
 * Does what a request to the control asks for, and returns its answer.
 * An answer other than a success is JSON with a list of `mistakes`, each of them one line.
 */
export function answerControl(
  controlled: Controlled,
  request: IncomingMessage,
  body: Buffer | undefined,
): Answer {
  const { url = "/", method = "GET", socket, headers } = request;
  if (!isLoopback(socket.remoteAddress) || !isLoopback(hostNameIn(headers.host))) {
    return mistakes(403, ["the control takes requests from this machine only, to a loopback address"]);
  }
  const [path = "", query] = url.split("?", 2);
  const onPath = CONTROL_ROUTES.filter((route) => matchPath(route.path, path) !== undefined);
  if (onPath.length === 0) return mistakes(404, [`${path} is not one of ${pathsOf(CONTROL_ROUTES)}`]);
  const route = onPath.find((row) => row.method === method);
  if (route === undefined) return methodNotAllowed(method, path, onPath);
  if (query !== undefined) return mistakes(400, [`${path} takes no query, not ?${query}`]);
  const { value, wrong } = readValue(route, body, headers["content-type"]);
  if (wrong.length > 0) return mistakes(400, wrong);
  const id = matchPath(route.path, path)?.id ?? "";
  try {
    return route.handle(controlled, { id, value }) ?? mistakes(404, [`no control plane has the id ${id}`]);
  } catch (error) {
    // The store and the faults check what a schema cannot express.
    if (error instanceof RangeError || error instanceof TypeError) return mistakes(400, [error.message]);
    throw error;
  }
}

function readValue(
  { schema }: ControlRoute,
  body: Buffer | undefined,
  contentType = "",
): { readonly value: unknown; readonly wrong: readonly string[] } {
  if (schema === undefined) {
    return { value: undefined, wrong: body === undefined ? [] : ["this operation takes no body"] };
  }
  // A page in a browser can send other media types to this address without asking.
  if (!/^application\/json *(;|$)/i.test(contentType)) {
    return { value: undefined, wrong: ["the Content-Type must be application/json"] };
  }
  try {
    const value: unknown = JSON.parse(body?.toString() ?? "");
    const wrong = mistakesIn(schema, value).map(({ place, explain }) =>
      place.length === 0 ? `in the body, ${explain(place)}` : explain(place),
    );
    return { value, wrong: [...new Set(wrong)] };
  } catch (error) {
    return { value: undefined, wrong: [`the body is not JSON: ${String(error)}`] };
  }
}

function mistakes(status: number, lines: readonly string[], headers: Record<string, string> = {}): Answer {
  const answer = jsonAnswer(status, { mistakes: lines });
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function methodNotAllowed(method: string, path: string, onPath: readonly ControlRoute[]): Answer {
  const allow = onPath.map((route) => route.method).join(", ");
  return mistakes(405, [`${path} takes ${allow}, not ${method}`], { allow });
}

function pathsOf(routes: readonly ControlRoute[]): string {
  return [...new Set(routes.map(({ path }) => path))].join(", ");
}

/** Returns the name in a Host header, without the port. */
function hostNameIn(host = ""): string {
  return host.replace(/:\d+$/, "");
}

function isLoopback(address = ""): boolean {
  return /^(127\.\d+\.\d+\.\d+|::ffff:127\.\d+\.\d+\.\d+|::1|\[::1\]|localhost)$/i.test(address);
}
