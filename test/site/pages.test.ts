import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/domain/errors/errors.ts';
import { eventKinds } from '../../src/domain/events/events.ts';
import { rootFieldsOf } from '../../src/rest/graphql-examples.ts';
import { schema } from '../../src/schema.ts';
import { omittedFiles, writtenFiles } from '../../src/site/contents.ts';
import { addressOf, documentOf, type SitePage } from '../../src/site/page.ts';
import { sitePages } from '../../src/site/pages.ts';
import { withSiteLinks } from '../../src/site/written-pages.ts';
import { root } from '../support/server-source.ts';

const pages = sitePages(schema);
const byAddress = new Map(pages.map((page) => [addressOf(page.path), page]));

/** Removes code blocks and inline code, which contain no links. */
const withoutCode = (text: string): string =>
  text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, 'code');

/** Returns the anchor that Starlight gives a heading: lowercase words with hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Returns the anchors of a page: its headings, and elements with an ID. */
function anchorsOf(page: SitePage): ReadonlySet<string> {
  const body = page.body();
  const headings = [...body.replace(/```[\s\S]*?```/g, '').matchAll(/^#{2,6} (.+)$/gm)];
  const elements = [...body.matchAll(/<a id="([^"]+)">/g)];
  return new Set([...headings.map(([, text = '']) => anchorOf(text)), ...elements.map(([, id = '']) => id)]);
}

const linksOf = (page: SitePage): string[] =>
  [...withoutCode(page.body()).matchAll(/\]\((\/docs[^)\s]*|#[^)\s]*)\)/g)].map(([, target = '']) => target);

describe('the documentation site', () => {
  it('has a title, a description, and a text on each page, and each address once', () => {
    expect(byAddress.size).toBe(pages.length);
    expect(pages.length).toBeGreaterThan(700);
    const incomplete = pages.filter(
      (page) => page.title === '' || page.description === '' || page.body() === '',
    );
    expect(incomplete.map(({ path }) => path)).toEqual([]);
    const broken = pages.filter((page) => /\[object Object\]|\bundefined\b/.test(withoutCode(page.body())));
    expect(broken.map(({ path }) => path)).toEqual([]);
  });

  it('has a page for each operation, event type, and error code', () => {
    const titles = (section: SitePage['section']) =>
      new Set(pages.filter((page) => page.section === section).map(({ title }) => title));
    const [reference, events, errors] = [titles('Reference'), titles('Events'), titles('Errors')];
    expect(rootFieldsOf(schema).filter(({ field }) => !reference.has(field.name))).toEqual([]);
    expect(eventKinds.filter((kind) => !events.has(kind))).toEqual([]);
    expect(Object.keys(errorCodes).filter((code) => !errors.has(code))).toEqual([]);
  });

  it('describes each type of the schema under a heading', () => {
    const types = Object.keys(schema.getTypeMap()).filter(
      (name) => !/^(?:__|(?:Query|Mutation|Live)$)/.test(name),
    );
    const described = new Set(
      pages
        .filter(({ path }) => path.startsWith('reference/types/'))
        .flatMap((page) => [...page.body().matchAll(/^## (\w+)$/gm)].map(([, name]) => name)),
    );
    expect(types.filter((type) => !described.has(type))).toEqual([]);
  });

  it('links only to pages and headings that exist', () => {
    const anchors = new Map(pages.map((page) => [addressOf(page.path), anchorsOf(page)]));
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((target) => {
          const [address = '', anchor] = target.split('#');
          const found = anchors.get(address === '' ? addressOf(page.path) : address);
          return found === undefined || (anchor !== undefined && !found.has(anchor));
        })
        .map((target) => `${page.path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('contains each file in docs, except those for the developers of Quittance', () => {
    const files = globSync('docs/**/*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
    const listed = [...writtenFiles.map(({ file }) => file), ...omittedFiles];
    expect(files.filter((file) => !file.startsWith('docs/adr/')).toSorted()).toEqual(listed.toSorted());
  });
});

describe('a link in a written page', () => {
  it.each([
    ['[events](events.md#order)', '[events](/docs/guides/events#order)'],
    ['[the rule](rules/usage.md)', '[the rule](/docs/rules/usage)'],
    ['[`main.ts`](../src/main.ts)', '`main.ts`'],
    ['[a site](https://example.com/a)', '[a site](https://example.com/a)'],
    ['[above](#above)', '[above](#above)'],
    ['```\n[events](events.md)\n```', '```\n[events](events.md)\n```'],
  ])('%j becomes %j', (text, expected) => {
    expect(withSiteLinks(text, 'docs/webhooks.md')).toBe(expected);
  });
});

it('starts each Markdown document with its title', () => {
  const page = byAddress.get('/docs/events/invoice-created');
  expect(page && documentOf(page)).toMatch(/^# invoice\.created\n\n\S/);
});
