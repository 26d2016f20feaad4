import type { GraphqlExamples, RootField } from './graphql-examples.ts';
import { tagDescriptions } from './openapi-tags.ts';

/** Group of root fields in the GraphQL reference. */
export type Capability = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly RootField[];
};

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/** Splits a name into lowercase singular words. */
const wordsOf = (name: string): string[] =>
  name.split(/-|(?=[A-Z])/).map((word) => singular(word.toLowerCase()));

const isPrefix = (start: readonly string[], words: readonly string[]): boolean =>
  start.every((word, index) => words[index] === word);

/** Groups root fields by resource. Uses the resource of the field's REST route, or otherwise the resource at the start of the field's name. */
export function capabilitiesOf(
  roots: readonly RootField[],
  examples: GraphqlExamples,
): readonly Capability[] {
  const tags = Object.keys(tagDescriptions);
  const nouns = roots
    .filter(({ kind }) => kind === 'query')
    .map(({ field }) => wordsOf(field.name))
    .sort((a, b) => a.length - b.length);
  const groupOf = (root: RootField): string => {
    const routed = examples.routeOf(root)?.segments[0];
    if (routed !== undefined) return routed;
    const words = wordsOf(root.field.name);
    return (
      tags.find((tag) => isPrefix(wordsOf(tag), words)) ??
      (nouns.find((noun) => isPrefix(noun, words)) ?? words).join('-')
    );
  };
  return [...Map.groupBy(roots, groupOf)]
    .map(([group, fields]) => ({
      id: `about-${group}`,
      title: group.replaceAll('-', ' '),
      description: tagDescriptions[group] ?? '',
      fields,
    }))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}
