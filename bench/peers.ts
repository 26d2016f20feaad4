import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const directory = import.meta.dirname;

/** Installs PostGraphile if necessary. If the installation fails, prints the reason and returns `false`. */
export function installPeers(): boolean {
  if (existsSync(path.join(directory, 'node_modules/postgraphile'))) return true;
  console.error('  installing the packages of bench/package.json');
  try {
    const options = [
      'install',
      '--prefix',
      directory,
      '--ignore-scripts',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
    ];
    execFileSync('npm', options, { stdio: ['ignore', 'ignore', 'pipe'] });
    return true;
  } catch (error) {
    console.error(
      `  the packages can't be installed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    );
    return false;
  }
}
