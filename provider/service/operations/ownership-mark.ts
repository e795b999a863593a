// docs/decisions/create.md

/** The label that shows which create request made a control plane. Its value is random, for one request alone. */
export const MARK_LABEL = "pulumi-creation-id";

/** Sources name 5 and 50 as the largest number of labels. The mark must not be the label too many under either. */
const LABEL_LIMITS = [5, 50];

type Labels = Readonly<Record<string, string>>;

/** Adds the mark to the labels of a request. Returns undefined when there may be no room for it. */
export function markLabels(labels: Labels = {}, mark: string): Labels | undefined {
  return LABEL_LIMITS.includes(Object.keys(labels).length) ? undefined : { ...labels, [MARK_LABEL]: mark };
}

/** Returns labels without the mark: those that are the user's business. */
export function withoutMark(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label !== MARK_LABEL));
}

/** Whether labels carry a mark. */
export function carriesMark(labels: Labels, mark: string): boolean {
  return Object.hasOwn(labels, MARK_LABEL) && labels[MARK_LABEL] === mark;
}
