import type { CallEvent, CallFacts } from "../service/retry/call.js";
import type { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { HookPurpose } from "../service/failure/purpose.js";
import type { Labels } from "../service/operations/control-plane-document.js";
import type { CallSubject, ControlPlaneRef } from "../service/operations/control-planes.js";
import type { Problem } from "../service/problem/problem.js";
import type { SafeText } from "../text/safe-text.js";

/**
 * What happens in a run, in the order in which it happens. Hooks emit events; console lines, summaries and reports are
 * made from them. Each operation on a control plane ends with exactly one {@link ConclusionEvent}.
 */
export type OutcomeEvent = CallEvent | ConclusionEvent | NoticeEvent;

/** The end of an operation on one control plane. */
export type ConclusionEvent =
  /** It was read and is recorded. Its labels are missing for a member of a set, which has no line of its own. */
  | (Concluded<"adopted"> & { readonly labels?: Labels })
  /** It is recorded although the service forbids reading it. */
  | Refused<"adopted unread">
  /** This run created it. `isFoundByMark`: the answer did not show that, and its ownership mark did. */
  | (Concluded<"created"> & { readonly isFoundByMark: boolean })
  /** This run changed it in place. */
  | Concluded<"updated">
  /** A refresh or a look-up read it. */
  | Concluded<"found">
  /** The service forbids a refresh to read it. It stays in the state. */
  | Refused<"unreadable">
  /** A refresh met the service's own 404. It leaves the state. */
  | Concluded<"gone">
  /** This run deleted it. The proof is 204 to the DELETE, or the service's own 404 after an attempt that may have worked. */
  | (Concluded<"deleted"> & { readonly proof: 204 | 404 })
  /** It was gone before this run deleted anything. The proof is the service's own 404. */
  | Concluded<"already gone">
  /** Another resource of the program declares it, so it is not deleted. */
  | {
      readonly type: "kept";
      readonly controlPlane: ControlPlaneRef;
      /** The resource that holds it, for example `resource "b"`. */
      readonly by?: SafeText | undefined;
    }
  /** It left the list of its set. It leaves the state, and is not deleted. */
  | {
      readonly type: "let go";
      readonly controlPlane: ControlPlaneRef;
      /** Set when the set is deleted, because it was renamed, replaced or moved: the resource that takes its place. */
      readonly movedTo?: SafeText | undefined;
    }
  /** The operation failed. The state keeps what it had. Any error but a {@link ControlPlaneError} is a defect. */
  | {
      readonly type: "failed";
      readonly purpose: HookPurpose;
      /**
       * What is known of the control plane. The address is missing if the state or the arguments are unusable. The id is
       * empty if it was not created.
       */
      readonly controlPlane: Pick<ControlPlaneRef, "id" | "name"> & Partial<ControlPlaneRef>;
      readonly error: Error;
    };

/** A warning about something that is no failure. */
export type NoticeEvent =
  /** A hook begins with the members of a set. Their conclusions follow. */
  | { readonly type: "set started"; readonly set: SetOfControlPlanes }
  /** All members of a set have come to their conclusions. */
  | { readonly type: "set ended"; readonly set: SetOfControlPlanes }
  /** A set is recorded with another list than before. */
  | {
      readonly type: "set recorded";
      /** The number of its members. */
      readonly size: number;
      readonly added: readonly Pick<ControlPlaneRef, "id" | "name">[];
      /** Those that left the list. */
      readonly left: readonly Pick<ControlPlaneRef, "id" | "name">[];
    }
  /** Control planes were adopted that their own guards would not let go now. */
  | {
      readonly type: "forbidden already";
      readonly controlPlanes: readonly {
        readonly controlPlane: ControlPlaneRef;
        readonly because: SafeText;
      }[];
    }
  /** A set is recorded without members. */
  | { readonly type: "set is empty" }
  /** A change of the program replaces the control plane: it is deleted, and another one is created. */
  | {
      readonly type: "will be replaced";
      readonly controlPlane: ControlPlaneRef;
      /** What the control plane is, and what changed. */
      readonly loss: readonly SafeText[];
    }
  /** A change of the program will be sent to a control plane whose last operation met a problem. */
  | {
      readonly type: "changes after a problem";
      readonly controlPlane: ControlPlaneRef;
      /** The names of the arguments that are sent. */
      readonly changes: readonly string[];
      readonly problem: Pick<Problem, "title" | "detail" | "instance"> & { readonly status: number };
    }
  /** The settings name another address than the one that is recorded. The recorded one counts. */
  | {
      readonly type: "recorded address differs";
      readonly controlPlane: ControlPlaneRef;
      /** Whether it was created there, and not adopted. */
      readonly isCreated?: boolean;
      /** Undefined if the settings name none. */
      readonly inSettings: string | undefined;
    }
  /** An argument names another address than the environment. The argument counts. */
  | {
      readonly type: "argument overrides environment";
      readonly controlPlane: CallSubject;
      readonly argument: "region" | "baseUrl";
      readonly variable: SafeText;
      readonly inEnvironment: string;
    }
  /** A guard forbids the deletion, and KONNECT_FORCE_DELETE overrides it. */
  | {
      readonly type: "guard overridden";
      readonly controlPlane: ControlPlaneRef;
      readonly guard: "onlyIfLabels" | "deletionPolicy" | "keepLabel" | "deleteAfterLabel";
      readonly because: SafeText;
    }
  /** Members were removed from a group, because it is deleted or because the program no longer lists them. */
  | {
      readonly type: "members detached";
      readonly purpose: "delete" | "update";
      readonly controlPlane: ControlPlaneRef;
      readonly members: readonly Pick<ControlPlaneRef, "id" | "name">[];
    }
  /** What a look-up of the program has to say. */
  | { readonly type: "look-up says"; readonly text: SafeText }
  | { readonly type: "warning"; readonly text: SafeText };

/** The control planes that one hook is at work on. */
export interface SetOfControlPlanes {
  readonly purpose: HookPurpose;
  readonly ids: ReadonlySet<string>;
}

interface Concluded<Type> {
  readonly type: Type;
  readonly controlPlane: ControlPlaneRef;
  readonly facts: CallFacts;
}

interface Refused<Type> {
  readonly type: Type;
  readonly controlPlane: ControlPlaneRef;
  readonly error: ControlPlaneError;
}

const NOTICES: readonly OutcomeEvent["type"][] = [
  "set started",
  "set ended",
  "set recorded",
  "forbidden already",
  "set is empty",
  "will be replaced",
  "changes after a problem",
  "recorded address differs",
  "argument overrides environment",
  "guard overridden",
  "members detached",
  "look-up says",
  "warning",
] satisfies readonly NoticeEvent["type"][];

function isNotice(event: OutcomeEvent): event is NoticeEvent {
  return NOTICES.includes(event.type);
}

/** Whether an event ends an operation on a control plane. */
export function isConclusion(event: OutcomeEvent): event is ConclusionEvent {
  return event.type !== "retrying" && event.type !== "call ended" && !isNotice(event);
}
