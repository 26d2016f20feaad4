import type { words as account } from './account/en.ts';
import type { words as card } from './card/en.ts';
import type { Translation } from './en.ts';
import type { words as errors } from './errors/en.ts';
import type { words as invoice } from './invoice/en.ts';
import type { words as link } from './link/en.ts';
import type { words as login } from './login/en.ts';
import type { words as portal } from './portal/en.ts';
import type { words as pricing } from './pricing/en.ts';
import type { words as sandbox } from './sandbox/en.ts';

/** Words that some pages have besides those of every page, by the folder they stand in. */
export type Areas = {
  readonly account: Translation<typeof account>;
  readonly card: Translation<typeof card>;
  readonly invoice: Translation<typeof invoice>;
  readonly link: Translation<typeof link>;
  readonly login: Translation<typeof login>;
  readonly portal: Translation<typeof portal>;
  readonly pricing: Translation<typeof pricing>;
};

/** What every page says about what went wrong, loaded once something is done. */
export type Errors = Translation<typeof errors>;

/** What is said in the sandbox alone. */
export type SandboxWords = Translation<typeof sandbox>;

export type AreaName = keyof Areas;

/** The words of one area. */
export type Area = { [Name in AreaName]: { readonly name: Name; readonly words: Areas[Name] } }[AreaName];
