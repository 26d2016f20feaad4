import type { Plugin } from 'vite';
import { type MessageTree, messageModule } from '../messages/compile.ts';

/** Compiles message files at build time, so that browsers don't have to load a message parser. */
export const messagesPlugin = (): Plugin => ({
  name: 'messages',
  enforce: 'pre',
  transform(code, id) {
    const language = /\/words\/([\w-]+)\/[\w-]+\.json$/.exec(id)?.[1];
    if (language === undefined) return null;
    return { code: messageModule(JSON.parse(code) as MessageTree, language), moduleType: 'js', map: null };
  },
});
