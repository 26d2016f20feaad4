import { describe, expect, it } from 'vitest';
import { argumentsOf, pluralFormsOf } from '../src/messages/arguments.ts';
import {
  languagesIn,
  type MessageFolder,
  messageFolders,
  readMessages,
  sourceLanguage,
} from '../src/messages/catalogs.ts';
import { loadMessages, type MessageTree, messageModule } from '../src/messages/compile.ts';
import { readFolders, unreadMessages } from './support/unread-messages.ts';

/** Returns the messages of a catalog with their key paths, such as `kit.selected`. */
const flat = (messages: MessageTree, path: readonly string[] = []): [string, string][] =>
  Object.entries(messages).flatMap(([key, message]) =>
    typeof message === 'string'
      ? [[[...path, key].join('.'), message] as [string, string]]
      : flat(message, [...path, key]),
  );

/** Returns the names and types of a message's arguments, such as `count: number`. */
const signatureOf = (message: string): string =>
  [...argumentsOf(message)].map(([name, type]) => `${name}: ${type}`).join(', ');

const folders = Object.keys(messageFolders) as MessageFolder[];
const languages = await Promise.all(
  folders.map(async (folder) => (await languagesIn(folder)).map((language) => [folder, language] as const)),
);
const catalogs = new Map<string, ReadonlyMap<string, string>>();
for (const [folder, language] of languages.flat())
  catalogs.set(`${folder} ${language}`, new Map(flat(await readMessages(folder, language))));

const messagesOf = (folder: string, language: string): ReadonlyMap<string, string> =>
  catalogs.get(`${folder} ${language}`) ?? new Map();

describe.each(languages.flat())('a message of %s in %s', (folder, language) => {
  const messages = messagesOf(folder, language);

  it('compiles', async () => {
    expect(messages.size).toBeGreaterThan(0);
    for (const [area, tree] of Object.entries(await readMessages(folder, language)))
      expect(() => messageModule(tree, language), area).not.toThrow();
  });

  it('has the same key and arguments as the English message', () => {
    const signatures = (texts: ReadonlyMap<string, string>): string[] =>
      [...texts].map(([key, message]) => `${key}(${signatureOf(message)})`).sort();
    expect(signatures(messages)).toEqual(signatures(messagesOf(folder, sourceLanguage)));
  });

  it('has every plural form that the language requires', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const incomplete = [...messages].flatMap(([key, message]) =>
      pluralFormsOf(message).flatMap(({ name, forms }) =>
        pluralCategories
          .filter((category) => !forms.includes(category))
          .map((category) => `${key}: {${name}, plural} has no form ${category}`),
      ),
    );
    expect(incomplete).toEqual([]);
  });
});

describe.each(folders)('a Portuguese message of %s', (folder) => {
  /** Words of European Portuguese, of Spanish, and of formal address. */
  const foreign =
    /(?<!\p{L})(?:utilizador(?:es)?|ficheiros?|palavra-passe|ecrãs?|contacto|facturas?|registo|telemóvel|subscriç(?:ão|ões)|usted|tú|teu|tua|tens|vós)(?!\p{L})/giu;

  it('uses Brazilian Portuguese, and addresses the reader as você', () => {
    const wrong = [...messagesOf(folder, 'pt-BR')].flatMap(([key, message]) =>
      [...message.matchAll(foreign)].map(([word]) => `${key}: ${word}`),
    );
    expect(wrong).toEqual([]);
  });

  it('differs from the English message if the message has several words', () => {
    const english = messagesOf(folder, 'en');
    const same = [...messagesOf(folder, 'pt-BR')].filter(
      ([key, message]) => english.get(key) === message && /\p{Ll}{3,} \p{Ll}{2,}/u.test(message),
    );
    expect(same.map(([key]) => key)).toEqual([]);
  });
});

describe.each(readFolders)('the %s message catalog', (folder) => {
  it('contains only messages that the code uses', async () => {
    expect(await unreadMessages(folder)).toEqual([]);
  });
});

describe('a message catalog', () => {
  it('exists in English for every folder, with the same areas in every language', async () => {
    for (const folder of folders) {
      const names = await languagesIn(folder);
      expect(names).toContain(sourceLanguage);
      const areas = await Promise.all(
        names.map(async (language) => Object.keys(await readMessages(folder, language))),
      );
      for (const each of areas) expect(each, folder).toEqual(areas[0]);
    }
  });

  it("chooses plural forms by the language's rules, and formats numbers", () => {
    const rows = '{count, plural, one {# fila} many {# de filas} other {# filas}}';
    const { text } = loadMessages<{ text: (values: { count: number }) => string }>({ text: rows }, 'es');
    expect([0, 1, 2, 12_345, 1_000_000].map((count) => text({ count }))).toEqual([
      '0 filas',
      '1 fila',
      '2 filas',
      '12.345 filas',
      '1.000.000 de filas',
    ]);
  });

  it('compiles to modules of strings and functions', () => {
    const code = messageModule(
      { title: 'Rows', list: { title: 'Rows of {name}', key: ': () => "x"' } },
      'en',
    );
    expect(code).toContain('title: "Rows"');
    expect(code).toContain('title: (d) => "Rows of " + d.name');
    expect(code).toContain('key: ": () => \\"x\\""');
  });

  it('keeps apostrophes, and unescapes quoted braces', () => {
    expect(loadMessages({ text: "You can't, '{'name'}'" }, 'en')).toEqual({ text: "You can't, {name}" });
  });

  it('rejects an argument with two types', () => {
    expect(() => argumentsOf('{count}: {count, plural, one {#} other {#}}')).toThrow(
      'The argument count is both string and number',
    );
  });

  it("rejects a plural form that doesn't exist in the language, and a syntax error", () => {
    const text = '{count, plural, few {#} other {#}}';
    expect(() => messageModule({ text }, 'en')).toThrow('The plural case few is not valid in this locale');
    expect(() => loadMessages({ text: '{name' }, 'en')).toThrow('Unexpected message end');
  });

  it('rejects a missing argument', () => {
    const { text } = loadMessages<{ text: (values: object) => string }>({ text: 'Hello {name}' }, 'en');
    expect(() => text({})).toThrow("Message requires argument 'name'");
  });
});
