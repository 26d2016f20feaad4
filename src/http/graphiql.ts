import type { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { contentPolicy, inlineSource } from './content-policy.ts';

type Options = Parameters<typeof renderGraphiQL>[0];

/** The texts of a document's inline scripts. */
const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);

/** The editor as one document, made once for its options, and the policy under which it works. */
export type Graphiql = {
  readonly render: (options: Options) => Promise<string>;
  /** Null until the document was made. */
  readonly policy: () => string | null;
};

/**
 * Opens the editor, nine megabytes of text that are loaded when somebody asks for it. Its scripts are allowed by their hashes, its calls to its own origin only. The code editor in it makes styles while it runs
 * and starts workers from memory, so those are allowed.
 */
export function openGraphiql(): Graphiql {
  let made: { readonly options: string; readonly html: string; readonly policy: string } | null = null;
  return {
    render: async (options) => {
      const key = JSON.stringify(options);
      if (made?.options !== key) {
        const library = await import('@graphql-yoga/render-graphiql');
        const html = String(library.renderGraphiQL(options));
        const policy = contentPolicy({
          scripts: scriptsIn(html).map(inlineSource),
          styles: ["'unsafe-inline'"],
          images: ["'self'", 'data:'],
          fonts: ['data:'],
          connections: ["'self'"],
          workers: ['blob:'],
        });
        made = { options: key, html, policy };
      }
      return made.html;
    },
    policy: () => made?.policy ?? null,
  };
}
