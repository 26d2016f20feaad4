import type { Language } from '../../../../domain/text/language.ts';
import type { Messages } from '../../../../generated/messages/emails.ts';
import { messagesByLanguage } from '../../../../messages/compile.ts';
import english from '../words/en/emails.json' with { type: 'json' };
import spanish from '../words/es/emails.json' with { type: 'json' };
import portuguese from '../words/pt-BR/emails.json' with { type: 'json' };

export type EmailWords = Messages['emails'];

export const emailWords: { readonly [language in Language]: EmailWords } = messagesByLanguage({
  en: english,
  es: spanish,
  pt_BR: portuguese,
});

/** Returns the greeting for a customer. Works without a name. */
export const greetingOf = ({ common }: EmailWords, name: string): string =>
  name === '' ? common.greetingUnnamed : common.greeting({ name });

/** Returns the subject of an email, with a test mark in a sandbox. */
export const subjectOf = ({ common }: EmailWords, subject: string, livemode: boolean): string =>
  livemode ? subject : common.testSubject({ subject });
