import type { Run } from "../pair.js";
import {
  DESTROYED,
  DESTROYED_AND_REFERRED_TO,
  DESTROYED_WITH_PROGRAM,
  REFRESHED,
  REFRESHED_IN_DOUBT,
} from "./ended.js";
import { BESIDE_A_REFERENCE, STILL_REFERRED_TO } from "./references.js";
import { REMOVED } from "./removed.js";
import { NOT_RENAMED, RENAMED } from "./renamed.js";
import {
  DELETED_FIRST,
  NOT_REPLACED,
  REFERRED_TO_AND_DELETED_FIRST,
  REFUSED_OPTIONS,
  REPLACED,
} from "./replaced.js";
import { TARGETED, TARGETED_AND_REFERRED_TO } from "./targeted.js";

export { DECLARED_TWICE } from "./declared-twice.js";

/** The runs of several pairs each. */
export const SHARED_RUNS: readonly Run[] = [
  ...[BESIDE_A_REFERENCE, STILL_REFERRED_TO],
  ...[REMOVED, RENAMED, NOT_RENAMED],
  ...[REPLACED, NOT_REPLACED, DELETED_FIRST, REFERRED_TO_AND_DELETED_FIRST, REFUSED_OPTIONS],
  ...[TARGETED, TARGETED_AND_REFERRED_TO],
  ...[DESTROYED, DESTROYED_WITH_PROGRAM, DESTROYED_AND_REFERRED_TO],
  ...[REFRESHED, REFRESHED_IN_DOUBT],
];
