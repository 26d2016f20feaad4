import { eventSummary } from '../../../../documents/event-summary.ts';
import { amountText } from '../../../../domain/money/amount-text.ts';
import type { Language } from '../../../../domain/text/language.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import { emailOf } from './layout.ts';
import { service } from './service.ts';
import { emailWords } from './words.ts';

/** Money that a request moves, in minor units. */
export type RequestedMoney = { readonly currency: string; readonly amount: number };

/** Email to a member about a request that the member can approve. The link only opens the request, because mail scanners open links. */
export function approvalRequestedEmail(
  to: string,
  organization: { readonly name: string; readonly language: Language },
  {
    data,
    money,
  }: { readonly data: Readonly<Record<string, unknown>>; readonly money: readonly RequestedMoney[] },
  url: string,
): MailMessage {
  const { language } = organization;
  const { common, approvalRequested: words } = emailWords[language];
  return emailOf(
    { ...service, language },
    {
      to,
      subject: words.subject({ organization: organization.name.replaceAll(/\s+/g, ' ') }),
      greeting: common.greetingUnnamed,
      paragraphs: [eventSummary('approval.requested', data, language), words.advice],
      details: money.map(({ currency, amount }) => ({
        label: words.amount,
        text: amountText(BigInt(amount), currency, language),
      })),
      action: { label: words.action, url },
      footnote: null,
    },
  );
}
