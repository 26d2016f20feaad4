import type { Random } from '../../support/random.ts';

const repeated = (piece: string, times: number): string => piece.repeat(times);
const aliases = (field: string, times: number): string =>
  Array.from({ length: times }, (_none, index) => `a${index}: ${field}`).join(' ');

/** Invalid or unusual GraphQL documents. */
export const strangeDocuments: readonly string[] = [
  '',
  '#',
  '{',
  '{}',
  '{ __typename',
  '{ __typename } { __typename }',
  'query A { __typename } query A { __typename }',
  'fragment F on Query { ...F } { ...F }',
  'fragment F on Query { ...G } fragment G on Query { ...F } { ...F }',
  '{ ...Missing }',
  '{ ... on Plan { id } }',
  'query ($a: Missing) { __typename }',
  'query ($a: Int = "x") { __typename }',
  'query ($a: Int, $a: Int) { __typename }',
  'query Q @skip(if: true) { __typename }',
  '{ __typename @include }',
  '{ __typename @include(if: $a) }',
  '{ plans @defer { edges { node { id } } } }',
  'subscription { __typename }',
  'subscription { a: eventStream { id } b: eventStream { id } }',
  'mutation { __typename }',
  'type Query { a: Int }',
  'extend schema { query: Query }',
  '{ __schema { types { name fields { name type { name ofType { name } } } } } }',
  `{ ${aliases('__schema { types { name } }', 12)} }`,
  `{ ${aliases('__typename', 200)} }`,
  `{ ${repeated('plans { edges { node { id } } } ', 120)} }`,
  `{ plans { edges { node { ${repeated('id ', 900)} } } } }`,
  `{ ${repeated('plans { edges { node { ', 60)} id ${repeated('} } } ', 60)} }`,
  `{ a(b: ${repeated('[', 500)}${repeated(']', 500)}) }`,
  `{ a(b: ${repeated('{c:', 500)}1${repeated('}', 500)}) }`,
  `query (${Array.from({ length: 300 }, (_none, index) => `$v${index}: Int`).join(' ')}) { __typename }`,
  `{ __typename } #${repeated('x', 40_000)}`,
  '{ plan(id: 1.5) { id } }',
  '{ plan(id: ENUM) { id } }',
  '{ plan(id: $undefined) { id } }',
  '{ plan(id: """a\nb""") { id } }',
  '{ plan(id: "\\u{110000}") { id } }',
  '{ plan(id: "\\uD800") { id } }',
  '{ plans(first: 99999999999999999999) { edges { node { id } } } }',
  '{ plans(first: 1e400) { edges { node { id } } } }',
  '\uFEFF{ __typename }',
  '{ \u0000 }',
  '{ "a" }',
  repeated('{', 3_000),
  repeated('query{a}', 1_000),
];

const snippets = [
  '{',
  '}',
  '(',
  ')',
  '...',
  '@skip(if: true)',
  '$x',
  '"',
  '#',
  '!',
  ': ',
  '[',
  '1e999',
  ' __typename ',
  ' a: id ',
  '\u0000',
  '\ud800',
  '"""',
  ' on ',
  'null',
];

/** Corrupts a document by removing, inserting, or duplicating characters at a random position. */
export function brokenDocument(random: Random, document: string): string {
  const at = random.below(document.length);
  const length = random.below(12);
  return random.pick([
    () => document.slice(0, at) + document.slice(at + length),
    () => document.slice(0, at) + random.pick(snippets) + document.slice(at),
    () => document.slice(0, at) + document.slice(at, at + length) + document.slice(at),
  ])();
}
