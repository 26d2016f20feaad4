import type { Language } from '../../../../domain/text/language.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import type { LimitAbout } from './content.ts';
import { emailOf } from './layout.ts';
import { service } from './service.ts';
import { limitParagraphs } from './usage-limit.ts';
import { emailWords } from './words.ts';

/** Type of the node whose usage or operations crossed a limit. */
export type AlertedNode = 'customer' | 'apiKey' | 'member';

/** Email to a member of the organization about usage or operations that reached a threshold or the amount of a limit. */
export function limitAlertEmail(
  to: string,
  language: Language,
  {
    summary,
    node,
    name,
    limit,
    hasPage,
  }: {
    readonly summary: string;
    readonly node: AlertedNode;
    readonly name: string;
    readonly limit: LimitAbout;
    /** True if the URL is the page of the customer. */
    readonly hasPage: boolean;
  },
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
        { label: usageLimit[node], text: name },
        ...(budget === null ? [] : [{ label: usageLimit.budget, text: budget }]),
      ],
      action: { label: hasPage ? usageLimit.open : usageLimit.openLimits, url },
      footnote: null,
    },
  );
}
