import type { Language } from '../domain/text/language.ts';
import type { Messages } from '../generated/messages/accounts.ts';
import { messagesByLanguage } from '../messages/compile.ts';
import { isLoopback } from '../platform/client-address.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Mail, MailMessage } from '../platform/mail.ts';
import english from './words/en/account-emails.json' with { type: 'json' };
import spanish from './words/es/account-emails.json' with { type: 'json' };
import portuguese from './words/pt-BR/account-emails.json' with { type: 'json' };

// Account emails. Anyone can trigger an email to any address, so these emails must not contain text from users.

/** Account email with a link that can be used for only one purpose. */
export type AccountEmail = MailMessage & { readonly link: string };

/** Wording of the account emails, by language. All account emails are in English, because the language of an account isn't stored. */
export const accountEmailWords: { readonly [language in Language]: Messages['account-emails'] } =
  messagesByLanguage({
    en: english,
    es: spanish,
    pt_BR: portuguese,
  });

/** Returns the email with a link to reset the password. */
export function resetEmail(publicUrl: string, to: string, token: string): AccountEmail {
  const { subject, text } = accountEmailWords.en.resetPassword;
  const link = `${publicUrl}/dashboard/reset-password/${token}`;
  return { to, subject, link, text: text({ link }) };
}

/** Returns the email with a link that verifies an email address. */
export function confirmEmail(publicUrl: string, to: string, token: string): AccountEmail {
  const { subject, text } = accountEmailWords.en.verifyAddress;
  const link = `${publicUrl}/dashboard/verify-email/${token}`;
  return { to, subject, link, text: text({ link }) };
}

type Parts = {
  readonly config: Pick<Config, 'publicUrl' | 'smtpUrl' | 'dataDir'>;
  readonly log: Log;
  readonly send: Mail['send'];
};

/**
 * Sends an account email in the background, so that the response time doesn't reveal whether the address is known. Logs failures. If a
 * local installation has neither a mail server nor a data directory, writes the link to the log instead.
 */
export function sendLater({ config, log, send }: Parts, written: Promise<AccountEmail>): void {
  const isLost = config.smtpUrl === undefined && config.dataDir === 'memory:';
  const shows = isLost && isLoopback(new URL(config.publicUrl).hostname);
  written
    .then(({ link, ...message }) => {
      if (shows) log.info(`No mail server and no data directory are set. ${message.subject}: ${link}`);
      return send(message);
    })
    .catch((error: unknown) => log.error({ err: error }, 'An email of an account could not be sent.'));
}
