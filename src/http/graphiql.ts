import type { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { contentPolicy, inlineSource } from './content-policy.ts';

type Options = Parameters<typeof renderGraphiQL>[0];

/** Returns the contents of all inline scripts in an HTML document. */
const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text);

/** GraphiQL editor, which consists of a single HTML document. */
export type Graphiql = {
  readonly render: (options: Options) => Promise<string>;
  /** Content security policy. `null` if the document hasn't been rendered yet. */
  readonly policy: () => string | null;
};

/**
 * Returns the GraphiQL editor. Its nine megabytes of code are loaded on first use. The policy allows the editor's scripts by hash and
 * restricts requests to the editor's own origin. The embedded code editor requires inline styles and blob workers.
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
