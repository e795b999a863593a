/** What makes a README of the repository one that stands alone. */
export interface PackedReadmeOptions {
  /** The `repository.url` of the package, where it is known. */
  readonly repositoryUrl: string | undefined;
  /** The version of the package. Links lead to its tag. */
  readonly version: string;
  /** The text of each picture, by its path from the top level. */
  readonly pictures: Readonly<Record<string, string>>;
}

/**
 * Returns README.md as the package ships it, without the folders that its links lead to.
 *
 * A picture becomes its text. A link into the repository becomes absolute, or text that names the file where the address
 * of the repository is not known; its last line then says where these files are. Throws when a picture has no text.
 */
export function packedReadme(readme: string, options: PackedReadmeOptions): string {
  const { repositoryUrl, version, pictures } = options;
  const base = repositoryUrl === undefined ? undefined : webAddress(repositoryUrl);
  const note =
    base === undefined ? "\nFiles such as docs/errors.md are in the repository, not in the package.\n" : "";
  return `${readme}${note}`
    .replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, text: string, target: string) => {
      if (/^([a-z]+:|#)/.test(target)) return link;
      if (base !== undefined) return `[${text}](${base}/blob/v${version}/${target})`;
      const [file = ""] = target.split("#");
      return text.includes(file) ? text : `${text} (${file})`;
    })
    .replace(/!\[[^\]]*\]\(([^)\s]+)\)/g, (_, file: string) => {
      const text = pictures[file];
      if (text === undefined) throw new Error(`there is no text for the picture ${file} of README.md`);
      return `\`\`\`text\n${text}\n\`\`\``;
    });
}

/** Returns the address of a repository for browsers. Throws when it is not a Git address over HTTPS. */
function webAddress(url: string): string {
  const [, address] = /^git\+(https:\/\/[^\s?#]+?)(?:\.git)?$/.exec(url) ?? [];
  if (address === undefined) throw new Error(`repository.url is "${url}"; allowed is git+https://…`);
  return address;
}
