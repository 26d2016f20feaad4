import { expect, it } from 'vitest';
import { areasOf, wordsPlugin } from '../../src/web/words-plugin.ts';

it('the words plugin finds the message areas that a module uses, without duplicates', () => {
  expect(
    areasOf(`const words = useWords('home');
      const { errors } = useWords('shell').failed;
      export const useCommandWords = (): Words['commands'] => useWords('commands');
      useWords('home');`),
  ).toEqual(['home', 'shell', 'commands']);
});

it('the words plugin adds the messages that a module uses, in each language', async () => {
  const { load, transform } = wordsPlugin('/root', ['en', 'pt-BR']) as unknown as {
    readonly load: (id: string) => Promise<string | null>;
    readonly transform: (code: string, id: string) => { readonly code: string } | null;
  };
  const code = `useWords('home');wordsOf('titles');`;
  expect(transform(code, '/root/src/dashboard/pages/home/page.tsx')?.code).toBe(
    `${code}\nimport 'virtual:words/home';\nimport 'virtual:words/titles';`,
  );
  expect(transform(code, '/root/src/pages/home.tsx')).toBeNull();
  expect(await load('\0virtual:words/home')).toBe(
    "import { addWords } from '/root/src/dashboard/words/words.ts';import words0 from 'virtual:words/home/en';import words1 from 'virtual:words/home/pt-BR';addWords('home', { 'en': words0,'pt-BR': words1 });",
  );
  expect(await load('\0other')).toBeNull();
});
