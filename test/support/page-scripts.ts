/** The GraphQL operations in the scripts of a page, with the constants of the scripts put in. */
export function operationsIn(script: string): string[] {
  const constants = new Map(
    [...script.matchAll(/^(?:export )?const (\w+) =\s+[`'"]([^`]+?)[`'"];$/gm)].map(([, name, text]) => [
      name,
      text ?? '',
    ]),
  );
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => constants.get(name) ?? '');
  return [...constants.values()].filter((text) => /^(query|mutation) /.test(text)).map(filled);
}
