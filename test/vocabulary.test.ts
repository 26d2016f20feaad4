import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

// Checks that public texts, exported names, and file names use the standard terms. See docs/glossary.md.

const root = path.resolve(import.meta.dirname, '..');

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const filesIn = (folder: string, ending = ''): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.startsWith('generated'))
    .map((file) => path.join(folder, file))
    .sort();

/**
 * Parts of names, with their standard counterparts: "email" for "letter", "rejection" for "refusal", and so
 * on.
 */
const bannedInNames = [
  ...['letter', 'letters', 'refusal', 'refusals', 'refuse', 'refused', 'offence', 'offences', 'facts'],
  ...['rail', 'rails', 'stranger', 'strangers', 'foresee', 'foreseen', 'traveller', 'bell', 'duty', 'duties'],
  ...['scene', 'asked', 'told', 'given', 'belief', 'believe', 'believed', 'loan', 'keeper', 'lane', 'lanes'],
];

/** Patterns of nonstandard phrases that public texts must not contain. */
const bannedInText = [
  /\bunless told\b/i,
  /\banew\b/i,
  /\bwhoever\b/i,
  /\bsomebody\b/i,
  /\bas (?:it|they) then (?:is|are)\b/i,
  /\bwhat came of it\b/i,
  /\bby itself\b/i,
  /\bby hand\b/i,
  /\brefus(?:e|es|ed|al|als|ing)\b/i,
  /\boffences?\b/i,
  // "Letters" in the sense of alphabetic characters aren't matched.
  /\b(?:of|the|a|kinds of|by) letters?\b/i,
  /\brails?\b/i,
  /\bbehaviour|colour|catalogue|organisation|favour|cancelled|licence\b/i,
];

const ruleId = /\b(?:GLO|CAT|SUB|CON|BIL|OFR|PAY|PLT|MET)-E?\d+[a-z]?\b/g;

const partsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([part]) => part.toLowerCase());

const isBanned = (name: string): boolean => partsOf(name).some((part) => bannedInNames.includes(part));

const exported = (file: string): string[] =>
  [...read(file).matchAll(/^export (?:async )?(?:const|function\*?|class|type|interface|enum) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

const violations = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      bannedInText.some((phrase) => phrase.test(line)) ? [`${index + 1}: ${line.trim()}`] : [],
    );

describe('the standard vocabulary', () => {
  it('is used in every file name', () => {
    const files = [...filesIn('src'), ...filesIn('examples'), ...filesIn('docs')];
    expect(files.length).toBeGreaterThan(700);
    expect(files.filter((file) => isBanned(path.basename(file)))).toEqual([]);
  });

  it('is used in every export name', () => {
    const names = filesIn('src', '.ts').flatMap((file) => exported(file).map((name) => ({ file, name })));
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter(({ name }) => isBanned(name)).map(({ file, name }) => `${file}: ${name}`)).toEqual(
      [],
    );
  });

  it('is used in the names of tables, columns, and settings', () => {
    const models = filesIn('prisma/models', '.prisma').flatMap((file) => [
      ...read(file).matchAll(/^(?:model|enum) (\w+)|^ {2}(\w+) +\S/gm),
    ]);
    const settings = [...read('src/platform/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)];
    const names = [
      ...models.map(([, model, column]) => model ?? column ?? ''),
      ...settings.map(([, name = '']) => name.toLowerCase()),
    ];
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter(isBanned)).toEqual([]);
  });

  it.each(['schema.graphql', 'README.md', ...filesIn('docs', '.md')])('is used in %s', (file) => {
    expect(violations(read(file))).toEqual([]);
  });

  it('is used in the API schema, which contains no rule IDs', () => {
    expect(read('schema.graphql').match(ruleId)).toBeNull();
  });
});

describe('a rule ID', () => {
  const chapters = filesIn('docs/rules', '.md').map(read);
  const ids = chapters.flatMap((text) =>
    [...text.matchAll(/<a id="([a-z]{3}-e?\d+[a-z]?)"><\/a>/g)].map(([, id = '']) => id),
  );

  it('is unique in the rules', () => {
    expect(ids.length).toBeGreaterThan(400);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('exists in the rules if code or tests cite it', () => {
    const citing = [
      ...filesIn('src', '.ts'),
      ...filesIn('src', '.md'),
      ...filesIn('prisma/models', '.prisma'),
      ...filesIn('test', '.test.ts'),
    ];
    // Skips rules.test.ts, which lists IDs that no rule uses.
    const cited = citing
      .filter((file) => file !== 'test/rules.test.ts')
      .flatMap((file) => read(file).match(ruleId) ?? []);
    expect(cited.length).toBeGreaterThan(1_000);
    expect([...new Set(cited)].filter((id) => !ids.includes(id.toLowerCase())).sort()).toEqual([]);
  });

  it('exists in the rules if another rule links to it', () => {
    const links = chapters.flatMap((text) =>
      [...text.matchAll(/\]\((?:[a-z]+\.md)?#([a-z]{3}-e?\d+[a-z]?)\)/g)].map(([, id = '']) => id),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });
});
