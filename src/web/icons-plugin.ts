import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

// The icon package has a single module, which would become part of every page. This plugin creates one module per icon, so that a page only loads the
// icons it uses.

const packageName = '@radix-ui/react-icons';
const prefix = '\0icon:';

const importPattern = /import\s*\{([^}]*)\}\s*from\s*'@radix-ui\/react-icons';/g;

/** Reads the source of the icon package's module. */
async function readIcons(): Promise<string> {
  const main = createRequire(import.meta.url).resolve(packageName);
  const folder = path.join(path.dirname(main), path.basename(path.dirname(main)) === 'dist' ? '.' : 'dist');
  return readFile(path.join(folder, 'react-icons.esm.js'), 'utf8');
}

/** Returns the source of a module with one icon and the shared code. Throws for an unknown icon name. */
function iconModule(text: string, name: string): string {
  const shared = text.slice(0, text.indexOf('var _excluded'));
  const at = text.indexOf(`\nvar ${name} = `);
  if (at < 0) throw new Error(`There is no icon ${name}.`);
  const start = text.lastIndexOf('var _excluded', at);
  const ends = ['\nvar _excluded', '\nexport {']
    .map((mark) => text.indexOf(mark, at))
    .filter((end) => end > 0);
  return `${shared}${text.slice(start, Math.min(...ends))}\nexport { ${name} };\n`;
}

/** Replaces imports from the icon package with single-icon imports. */
export function iconsPlugin(): Plugin {
  let icons: Promise<string> | null = null;
  return {
    name: 'icons',
    enforce: 'pre',
    resolveId: (source) => (source.startsWith('icon:') ? `\0${source}` : null),
    async load(id) {
      if (!id.startsWith(prefix)) return null;
      icons ??= readIcons();
      return { code: iconModule(await icons, id.slice(prefix.length)), map: null };
    },
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes(packageName)) return null;
      const split = code.replace(importPattern, (_all, names: string) =>
        names
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '')
          .map((each) => `import { ${each} } from 'icon:${each.split(/\s+as\s+/)[0]}';`)
          .join(''),
      );
      return { code: split, map: null };
    },
  };
}
