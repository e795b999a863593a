import { markdownTable } from "markdown-table";
import { type DeclarationReflection, ParameterReflection, type Reflection, type SomeType } from "typedoc";
import { MarkdownTheme, type MarkdownThemeContext } from "typedoc-plugin-markdown";

/** The block tag that says what a changed argument does to the control plane. */
export const CHANGE_TAG = "@change";

/** The block tag of an interface whose members a JSON schema of the package describes. */
export const SCHEMA_TAG = "@schema";

/** An argument, an output, or a member of a result. */
type Member = DeclarationReflection | ParameterReflection;

/**
 * Renders what a user of the package looks for: signatures, and one table of arguments or members. It leaves out what is
 * said elsewhere: members that an interface shares with others, and what a signature already shows.
 */
export class ReferenceTheme extends MarkdownTheme {
  override getRenderContext(page: Parameters<MarkdownTheme["getRenderContext"]>[0]): MarkdownThemeContext {
    const context = super.getRenderContext(page);
    const { partials } = context;
    partials.propertiesTable = (members) => renderMembers(context, members);
    partials.parametersTable = () => "";
    partials.hierarchy = () => "";
    partials.signatureReturns = () => "";
    partials.constructor = ({ signatures = [] }) =>
      signatures.map((signature) => partials.signatureTitle(signature)).join("\n\n");
    return context;
  }
}

/** Renders the members of an interface, and links to the interfaces that it shares the others with. */
function renderMembers(context: MarkdownThemeContext, members: readonly DeclarationReflection[]): string {
  const schema = renderTag(context, members[0]?.parent, SCHEMA_TAG);
  if (schema !== "") {
    return `\`pulumi-konnect-control-planes/schemas/${schema}\` describes its members.`;
  }
  const own = members.filter(({ inheritedFrom }) => inheritedFrom === undefined);
  const shared = members.flatMap(({ inheritedFrom }) => inheritedFrom?.name.split(".", 1) ?? []);
  const links = [...new Set(shared)].map((name) => `[\`${name}\`](#${name.toLowerCase()})`);
  const also = links.length === 0 ? "" : `\n\nAlso: all of ${links.join(" and ")}.`;
  return `${renderTable(context, own)}${also}`;
}

/** Renders a table of members, with the columns that say something about one of them. */
function renderTable(context: MarkdownThemeContext, members: readonly Member[]): string {
  const columns: Readonly<Record<string, (member: Member) => string>> = {
    name: (member) => `\`${member.name}${isOptional(member) ? "?" : ""}\``,
    type: ({ type }) => renderType(context, type),
    default: (member) => renderTag(context, member, "@defaultValue") || initialValue(member),
    meaning: (member) => renderMeaning(context, member),
    "when it changes": (member) => renderTag(context, member, CHANGE_TAG),
  };
  const cells = members.map((member) =>
    Object.fromEntries(Object.entries(columns).map(([title, cell]) => [title, toCell(cell(member))])),
  );
  const titles = Object.keys(columns).filter((title) => cells.some((row) => row[title] !== ""));
  const rows = cells.map((row) => titles.map((title) => row[title] ?? ""));
  return markdownTable([titles, ...rows], { alignDelimiters: false, padding: false });
}

function isOptional(member: Member): boolean {
  return (
    member.flags.isOptional || (member instanceof ParameterReflection && member.defaultValue !== undefined)
  );
}

/** Returns the default of a parameter in the code. An empty object says nothing to a reader. */
function initialValue({ defaultValue = "{}" }: Member): string {
  return defaultValue === "{}" ? "" : `\`${defaultValue}\``;
}

function renderType({ partials }: MarkdownThemeContext, type: SomeType | undefined): string {
  const linked = partials.someType(type);
  // One piece of code is easier to read than one for each name in it, as long as there is nothing to link.
  const text = linked.includes("](") || type === undefined ? linked : `\`${type.toString()}\``;
  // TypeDoc sometimes shows what Pulumi's alias `Output` stands for.
  return text.replaceAll("OutputInstance", "Output");
}

/** Returns the summary of a member and its example, which is a piece of code in one line. */
function renderMeaning(context: MarkdownThemeContext, member: Member): string {
  const summary = context.helpers.getCommentParts(member.comment?.summary ?? []);
  const example = renderTag(context, member, "@example");
  return example === "" ? summary : `${summary} Example: \`${example}\``;
}

function renderTag({ helpers }: MarkdownThemeContext, of: Reflection | undefined, tag: `@${string}`): string {
  const text = helpers.getCommentParts(of?.comment?.getTag(tag)?.content ?? []);
  // TypeDoc takes an example or a default without any mark for code as a whole.
  return text.replace(/^```ts\n([^]*)\n```$/, "$1");
}

/** Returns text that fits into a cell of a table. */
function toCell(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/(?<!\\)\|/g, "\\|");
}
