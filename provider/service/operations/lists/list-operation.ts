import { parseJsonObject } from "../../../text/json.js";
import type { Operation } from "../operation.js";

/** Entries for each page. Source: the largest size that Kong's own tools use. */
export const PAGE_SIZE = 100;

/** A hundred control planes with fifty labels each take more than half a megabyte. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** Where a page comes from, and how it is parsed. */
export interface ListRequest<Page> extends Pick<Operation<Page>, "name" | "path"> {
  readonly query: Readonly<Record<string, string>>;
  /** Returns undefined for what the service would not send. */
  readonly parsePage: (json: Readonly<Record<string, unknown>>) => Page | undefined;
}

/** Creates the operation that gets one page of a list. Only a whole answer with the status 200 is a page. */
export function listOperation<Page>({ parsePage, ...request }: ListRequest<Page>): Operation<Page> {
  return {
    ...request,
    method: "GET",
    maxAnswerBytes: MAX_LIST_BYTES,
    idempotent: true,
    parse({ status, body, bodyEnd }) {
      const json = status === 200 && bodyEnd === "complete" ? parseJsonObject(body) : undefined;
      const result = json && parsePage(json);
      return result === undefined ? { kind: "foreign" } : { kind: "result", result };
    },
  };
}
