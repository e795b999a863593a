/** A control plane of a pair. Each pair has its own three, so that pairs of one stack do not influence each other. */
export type Letter = "X" | "Y" | "Z";

/** A control plane by its literal id, or by the output `id` of another resource of the pair. */
export type Target = Letter | { readonly idOf: string };

/** Pulumi's options, with the names of resources of the pair in place of the resources. */
export interface Options {
  readonly dependsOn?: readonly string[];
  /** Whether the resource has the explicit provider, which is a process of its own. Default: the default provider. */
  readonly inSecondProvider?: true;
  readonly deleteBeforeReplace?: true;
  readonly replaceWith?: readonly string[];
  readonly replacementTrigger?: string;
  /** Whether the address is given as an argument, and differs from the one in the settings. */
  readonly isAtOtherAddress?: true;
  /** Whether `pulumi state taint` has marked the resource. Only a state says so. */
  readonly isTainted?: true;
}

/** A resource as a program declares it and a state records it. */
export type Declaration = Options &
  (
    | { readonly kind: "created" | "adopted" | "get"; readonly target: Target }
    | { readonly kind: "set"; readonly targets: readonly Target[] }
  );

/** The resources of a pair by name, in the order in which the program declares them. */
export type Declarations = Readonly<Record<string, Declaration>>;

/** Declares a control plane that its resource creates. The letter stands for its name in the service. */
export function created(target: Letter, options: Options = {}): Declaration {
  return { kind: "created", target, ...options };
}

/** Declares an adopted control plane. */
export function adopted(target: Target, options: Options = {}): Declaration {
  return { kind: "adopted", target, ...options };
}

/** Declares a set. */
export function set(targets: readonly Target[], options: Options = {}): Declaration {
  return { kind: "set", targets, ...options };
}

/** Declares a reference with `ControlPlane.get`. */
export function get(target: Target, options: Options = {}): Declaration {
  return { kind: "get", target, ...options };
}

/** How a resource relates to the control plane. */
type Kind = "created" | "adopted" | "set" | "reference";

/** What two resources over the control plane X do in one command, and what has to come of it: a row of the table. */
export interface Pair {
  /** How the first resource relates to X, and how the second one does, or the first one in the same command. */
  readonly pair: readonly [Kind, Kind | "itself" | "nothing"];
  /** How the second resource comes, and what happens next. */
  readonly how: string;
  /** What the state records before the command. */
  readonly recorded?: Declarations;
  /** What the program declares. A command that runs no program needs none. */
  readonly program?: Declarations;
  /** What the service is like. By default it has every control plane that is recorded or given by its id. */
  readonly service?: {
    /** They are gone by now. */
    readonly gone?: readonly Letter[];
    /** A GET is answered with 500. */
    readonly unreadable?: readonly Letter[];
    /** A GET is answered with a 404 that does not come from the service. */
    readonly hidden?: readonly Letter[];
  };
  /** The control planes that get a DELETE. Every other one exists afterwards. Default: none. */
  readonly deleted?: readonly Letter[];
  /**
   * What the state holds afterwards: control planes by resource name. One that the run created has a prime: `X'`.
   */
  readonly left: Readonly<Record<string, string>>;
  /** What is said: pieces of text that stand close together. `{X}` is the id of a control plane, `{first}` a resource. */
  readonly says?: readonly string[];
  /** Why, where it is not the provider that decides. */
  readonly note?: string;
}

/** One run of the CLI, with pairs that do not influence each other. */
export interface Run {
  readonly title: string;
  /** The command. `{0:first}` is the URN of the resource `first` of the first pair. */
  readonly command: string;
  readonly exitCode: 0 | 1;
  /** Whether a plain destroy then deletes what is left, with exit code 0. */
  readonly isThenDestroyed?: true;
  readonly pairs: readonly Pair[];
}
