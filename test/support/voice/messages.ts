import { filesBelow, readText } from './files.ts';
import { textsOfMessage } from './icu.ts';
import { isNode, isType, literalText, type Node, type Source, sourceOf, walk } from './source.ts';
import type { Kind, Text } from './text.ts';

const keyOf = (node: Node): unknown => {
  const key = node['key'] as Node | undefined;
  return key?.['name'] ?? key?.['value'];
};

/** Matches a text with at least two words. */
const isSentence = (text: string): boolean => /[a-z]{2}.* .*[a-z]/i.test(text);

/** Returns the messages in a JSON catalog in ICU MessageFormat. */
function textsOfMessages(kind: Kind, file: string): Text[] {
  const texts: Text[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value === 'string')
      texts.push(...textsOfMessage(value).map((text) => ({ kind, place, text: text.trim() })));
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) visit(member, `${place} ${name}`);
  };
  visit(JSON.parse(readText(file)), file);
  return texts;
}

const catalogs: readonly [kind: Kind, folder: string, name: RegExp][] = [
  ['dashboard', 'src/dashboard/words/en', /\.json$/],
  ['pages', 'src/pages/words/en', /\.json$/],
  ['pages', 'src/documents/words/en', /\.json$/],
  ['emails', 'src/modules/messages/emails/words/en', /\.json$/],
  ['emails', 'src/identity/words/en', /\.json$/],
];

export const shownTexts = (): Text[] =>
  catalogs.flatMap(([kind, folder, name]) =>
    filesBelow(folder, name).flatMap((file) => textsOfMessages(kind, file)),
  );

const errorCatalog = /error-(?:messages|codes)\.ts$/;

/** Matches the start of a field error, which continues a sentence that begins with the field's name. */
const issue = /^(?:must|can['’]t|cannot|is required|isn['’]t|is not|doesn['’]t|does not) /;

/**
 * Returns the literals that an expression can evaluate to: the expression itself, or both branches of a
 * conditional expression.
 */
function results(node: unknown): Node[] {
  if (!isNode(node)) return [];
  if (node.type === 'ConditionalExpression')
    return [...results(node['consequent']), ...results(node['alternate'])];
  return literalText(node) === undefined ? [] : [node];
}

/** Matches the sentences that billing rules return. */
const sentence = /^[A-Z{].* .*\.$/;

const ruleFiles = /^src\/(?:domain|providers)\//;

/** True if the text's parent is a call, a returned value, a variable, a condition, or a list. */
const isResult = (parent: Node | null): boolean =>
  parent !== null &&
  /^(?:Call|ArrowFunction|Return|VariableDeclarator|Conditional|Logical|Array)/.test(parent.type);

/** Returns the messages in a source file: `message` properties, field errors, sentences from billing rules, and error catalogs. */
function messagesIn(source: Source): Text[] {
  const isCatalog = errorCatalog.test(source.file);
  const found = new Map<number, string>();
  walk(source.program, (node, parent) => {
    if (node.type.startsWith('Import') || isType(node)) return false;
    const isMessage = node.type === 'Property' && keyOf(node) === 'message';
    const isRule = ruleFiles.test(source.file) && isResult(parent);
    for (const literal of isMessage ? results(node['value']) : results(node)) {
      const text = literalText(literal) ?? '';
      const isFound = isMessage || isCatalog || issue.test(text) || (isRule && sentence.test(text));
      if (isFound && isSentence(text)) found.set(literal.start, text);
    }
    return true;
  });
  return [...found].map(([start, text]) => ({
    kind: 'errors',
    place: `${source.file}:${source.lineAt(start)}`,
    text,
  }));
}

/** Returns the messages of API errors. */
export const errors = (): Text[] =>
  filesBelow('src', /\.ts$/)
    .filter((file) => !/^src\/(?:dashboard|pages|ui)\//.test(file))
    .flatMap((file) => messagesIn(sourceOf(file)));
