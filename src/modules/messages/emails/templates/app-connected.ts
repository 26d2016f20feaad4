import { eventSummary } from '../../../../documents/event-summary.ts';
import { dateText } from '../../../../documents/format.ts';
import type { Language } from '../../../../domain/text/language.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import { emailOf } from './layout.ts';
import { service } from './service.ts';
import { emailWords, subjectOf } from './words.ts';

/** Connection of an app, with the data of its `app.connected` event. */
export type AppConnected = {
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** Name of the member who approved the connection. `null` if the member no longer exists. */
  readonly connectedBy: string | null;
  readonly isLive: boolean;
};

/** Email to the notification recipient about a connected app, with a link for ending the connection (AGT-67). */
export function appConnectedEmail(
  to: string,
  organization: { readonly name: string; readonly language: Language },
  { data, occurredAt, connectedBy, isLive }: AppConnected,
  url: string,
): MailMessage {
  const { language } = organization;
  const words = emailWords[language];
  const { common, appConnected: own } = words;
  const subject = own.subject({ organization: organization.name.replaceAll(/\s+/g, ' ') });
  return emailOf(
    { ...service, language },
    {
      to,
      subject: subjectOf(words, subject, isLive),
      greeting: common.greetingUnnamed,
      paragraphs: [eventSummary('app.connected', data, language), own.advice],
      details: [
        ...(connectedBy === null ? [] : [{ label: own.by, text: connectedBy }]),
        {
          label: own.time,
          text: `${dateText(occurredAt, language)}, ${occurredAt.toISOString().slice(11, 16)} UTC`,
        },
      ],
      action: { label: own.action, url },
      footnote: null,
    },
  );
}
