import { eventSummary } from '../../../../documents/event-summary.ts';
import { dateText } from '../../../../documents/format.ts';
import type { Language } from '../../../../domain/text/language.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import { emailOf } from './layout.ts';
import { service } from './service.ts';
import { emailWords } from './words.ts';

// Email to an owner about a change to payment, payout, or tax settings (PLT-53). Quittance is the sender.

/** Change to the settings that owners are notified about. */
export type SettingsChange = {
  readonly kind: string;
  readonly data: { readonly [field: string]: unknown };
  readonly occurredAt: Date;
  /** Name of the person or API key that made the change. `null` if the name is unknown. */
  readonly madeBy: string | null;
};

/**
 * Email to an owner with the change, the person or API key that made the change, and a link for reviewing the change.
 * Contains no secrets, because events don't contain secrets.
 */
export function settingsChangedEmail(
  to: string,
  organization: { readonly name: string; readonly language: Language },
  { kind, data, occurredAt, madeBy }: SettingsChange,
  url: string,
): MailMessage {
  const { language } = organization;
  const { common, settingsChanged: words } = emailWords[language];
  return emailOf(
    { ...service, language },
    {
      to,
      subject: words.subject({ organization: organization.name.replaceAll(/\s+/g, ' ') }),
      greeting: common.greetingUnnamed,
      paragraphs: [eventSummary(kind, data, language), words.advice],
      details: [
        ...(madeBy === null ? [] : [{ label: words.by, text: madeBy }]),
        {
          label: words.time,
          text: `${dateText(occurredAt, language)}, ${occurredAt.toISOString().slice(11, 16)} UTC`,
        },
      ],
      action: { label: words.action, url },
      footnote: null,
    },
  );
}
