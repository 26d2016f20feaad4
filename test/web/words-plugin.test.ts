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

it('the words plugin imports the messages that a module uses, except for messages of the app shell', () => {
  const { transform } = wordsPlugin('/root') as unknown as {
    readonly transform: (code: string, id: string) => { readonly code: string } | null;
  };
  const code = `useWords('home');useWords('titles');`;
  expect(transform(code, '/root/src/dashboard/pages/home/page.tsx')?.code).toBe(
    `${code}\nimport { loadWords } from '/root/src/dashboard/words/words.ts';loadWords('home');`,
  );
  expect(transform(code, '/root/src/pages/home.tsx')).toBeNull();
  expect(transform(`useWords('shell')`, '/root/src/dashboard/shell/frame.tsx')).toBeNull();
});
