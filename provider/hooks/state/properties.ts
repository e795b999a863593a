/** Properties of a resource as they are sent: of no known shape until they are parsed. */
export type Properties = Readonly<Record<string, unknown>>;
