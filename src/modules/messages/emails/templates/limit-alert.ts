import type { Language } from '../../../../domain/text/language.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import type { LimitAbout } from './content.ts';
import { emailOf } from './layout.ts';
import { service } from './service.ts';
import { limitParagraphs } from './usage-limit.ts';
import { emailWords } from './words.ts';

/** Email to a member of the organization about usage of a customer that reached a threshold or the amount of a limit. */
export function limitAlertEmail(
  to: string,
  language: Language,
  {
    summary,
    customer,
    limit,
  }: { readonly summary: string; readonly customer: string; readonly limit: LimitAbout },
  url: string,
): MailMessage {
  const words = emailWords[language];
  const { common, usageLimit } = words;
  const { budget } = limit;
  const [, resets] = limitParagraphs(words, limit, language);
  return emailOf(
    { ...service, language },
    {
      to,
      subject: summary,
      greeting: common.greetingUnnamed,
      paragraphs: [summary, ...(resets === undefined ? [] : [resets])],
      details: [
        { label: usageLimit.customer, text: customer },
        ...(budget === null ? [] : [{ label: usageLimit.budget, text: budget }]),
      ],
      action: { label: usageLimit.open, url },
      footnote: null,
    },
  );
}
