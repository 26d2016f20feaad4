import { expect, it } from 'vitest';
import { areasOf, wordsPlugin } from '../../src/web/words-plugin.ts';

it('finds the areas of words a module uses, each once', () => {
  expect(
    areasOf(`const words = useWords<typeof home>('home');
      const { errors } = useWords<typeof shell>('shell').failed;
      export const useCommandWords = (): CommandWords => useWords<CommandWords>('commands');
      useWords<typeof home>('home');`),
  ).toEqual(['home', 'shell', 'commands']);
});

it('has a module ask for its words, but for those of the frame', () => {
  const { transform } = wordsPlugin('/root') as unknown as {
    readonly transform: (code: string, id: string) => { readonly code: string } | null;
  };
  const code = `useWords<typeof home>('home');useWords<typeof titles>('titles');`;
  expect(transform(code, '/root/src/dashboard/pages/home/page.tsx')?.code).toBe(
    `${code}\nimport { loadWords } from '/root/src/dashboard/words/words.ts';loadWords('home');`,
  );
  expect(transform(code, '/root/src/pages/home.tsx')).toBeNull();
  expect(transform(`useWords<typeof shell>('shell')`, '/root/src/dashboard/shell/frame.tsx')).toBeNull();
});
