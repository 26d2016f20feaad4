import path from 'node:path';
import type { Plugin } from 'vite';

const usePattern = /\buseWords\(\s*'([\w-]+)'/g;

/** Returns the message areas that a module uses. */
export const areasOf = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(usePattern)].map(([, area = '']) => area)),
];

/** Vite plugin that makes each dashboard module load its messages, so that they are available when its components render. */
export function wordsPlugin(root: string): Plugin {
  const folder = path.join(root, 'src/dashboard');
  const words = path.join(folder, 'words/words.ts');
  return {
    name: 'words',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(folder) || id === words) return null;
      // The frame's messages are already loaded.
      const areas = areasOf(code).filter((area) => !frameAreas.includes(area));
      if (areas.length === 0) return null;
      const calls = areas.map((area) => `loadWords('${area}');`).join('');
      return { code: `${code}\nimport { loadWords } from '${words}';${calls}`, map: null };
    },
  };
}

/** Message areas that the frame around every page uses. `src/dashboard/main.tsx` loads them. */
const frameAreas: readonly string[] = ['shell', 'titles', 'kit'];
