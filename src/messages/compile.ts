import { createRequire } from 'node:module';
import { argumentsOf } from './arguments.ts';

// Compiles ICU messages. Each JSON file contains nested keys for one area and language.

/** Source messages in a catalog, by key. */
export type MessageTree = { readonly [key: string]: string | MessageTree };

// The compiler is loaded on first use, so that it doesn't slow down startup.
const require = createRequire(import.meta.url);
type DefaultOf<Module> = Module extends { readonly default: infer Default } ? Default : Module;
type MessageFormat = DefaultOf<typeof import('@messageformat/core')>;
type CompileModule = DefaultOf<typeof import('@messageformat/core/lib/compile-module.js')>;

/** Returns the message compiler for a language. Plural forms follow `Intl.PluralRules`; a form that the language doesn't have is a syntax error. */
function compilerOf(language: string, requireAllArguments: boolean) {
  const rules = new Intl.PluralRules(language);
  const choose = Object.defineProperties((count: unknown) => rules.select(Number(count)), {
    name: { value: language },
    cardinals: { value: rules.resolvedOptions().pluralCategories },
    // Source code of the plural function in compiled modules.
    toString: {
      value: () => `((rules) => (count) => rules.select(count))(new Intl.PluralRules('${language}'))`,
    },
  });
  const Compiler = require('@messageformat/core') as MessageFormat;
  return new Compiler(choose, { requireAllArguments });
}

/** Compiles a catalog to the source code of a module that exports strings and functions. Throws if a message has a syntax error. */
export function messageModule(messages: MessageTree, language: string): string {
  const compileModule = require('@messageformat/core/lib/compile-module.js') as CompileModule;
  const code = compileModule(compilerOf(language, false), messages as Parameters<CompileModule>[1]);
  // Messages without arguments become strings instead of functions.
  return code.replace(/(?<=^ *(?:\w+|"[^"]+"): )\(\) => (?=")/gm, '');
}

/**
 * Compiles a catalog to strings and functions with named arguments. The functions throw if an argument is missing.
 * `Messages` is the catalog's generated type in `src/generated/messages`. Throws if a message has a syntax error.
 */
export function loadMessages<Messages>(messages: MessageTree, language: string): Messages {
  const compiler = compilerOf(language, true);
  const textsOf = (tree: MessageTree): object =>
    Object.fromEntries(
      Object.entries(tree).map(([key, message]) => {
        if (typeof message !== 'string') return [key, textsOf(message)];
        const format = compiler.compile(message);
        return [key, argumentsOf(message).size === 0 ? format({}) : format];
      }),
    );
  return textsOf(messages) as Messages;
}

/** Returns the messages in a catalog by language. Each language is compiled on first access. */
export const messagesByLanguage = <Messages, Language extends string>(
  trees: Readonly<Record<Language, MessageTree>>,
): Readonly<Record<Language, Messages>> => {
  const compiled = new Map<string, Messages>();
  const byLanguage = {};
  for (const [language, tree] of Object.entries<MessageTree>(trees))
    Object.defineProperty(byLanguage, language, {
      enumerable: true,
      get: () =>
        compiled.getOrInsertComputed(language, () =>
          loadMessages<Messages>(tree, language.replace('_', '-')),
        ),
    });
  return byLanguage as Readonly<Record<Language, Messages>>;
};
