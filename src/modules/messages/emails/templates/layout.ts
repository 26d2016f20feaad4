import { type Language, tagOf } from '../../../../domain/text/language.ts';
import type { MailMessage } from '../../../../platform/mail.ts';

/** Sender of an email, with its branding. */
export type Sender = {
  readonly name: string;
  /** Validated `#rrggbb` color. `null` if the default color applies. */
  readonly accentColor: string | null;
  /** Validated HTTPS URL. `null` if the sender has no logo. */
  readonly logoUrl: string | null;
  /** Logo size in pixels. `null` if the size is unknown. */
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
  /** Reply-to address. `null` if replies go to the installation's sender address. */
  readonly replyTo: string | null;
  readonly language: Language;
};

/** Contents of an email in display order. The layout renders them as plain text and as HTML. */
export type Message = {
  readonly to: string;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly details: readonly { readonly label: string; readonly text: string }[];
  /** Main link. `null` if the email has no main link. */
  readonly action: { readonly label: string; readonly url: string } | null;
  /** Secondary link, which is less prominent. */
  readonly also?: { readonly label: string; readonly url: string } | null;
  /** Small print at the end. `null` if the email has no small print. */
  readonly footnote: string | null;
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** Joins the lines of a string into one line, because email headers can't contain line breaks. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function plain(
  sender: Sender,
  { greeting, paragraphs, details, action, also = null, footnote }: Message,
): string {
  const parts = [
    greeting,
    ...paragraphs,
    details.map(({ label, text }) => `${label}: ${text}`).join('\n'),
    action === null ? '' : `${action.label}:\n${action.url}`,
    also === null ? '' : `${also.label}:\n${also.url}`,
    sender.name,
    footnote ?? '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Maximum size of the logo in pixels. */
const logoRoom = { width: 560, height: 40 } as const;

/** Logo at the top, scaled down to the maximum size. If its size is unknown, only the height is limited. */
function logoOf({ logoUrl, logoWidth, logoHeight }: Sender): string {
  if (logoUrl === null) return '';
  const image = (size: string, style: string): string =>
    `<p><img src="${escaped(logoUrl)}" alt="" ${size} style="display:block;${style};border:0"></p>\n`;
  if (logoWidth === null || logoHeight === null)
    return image(`height="${logoRoom.height}"`, `height:${logoRoom.height}px;width:auto`);
  const scale = Math.min(logoRoom.height / logoHeight, logoRoom.width / logoWidth);
  const [width, height] = [logoWidth, logoHeight].map((side) => Math.max(1, Math.round(side * scale)));
  return image(`width="${width}" height="${height}"`, `width:${width}px;height:${height}px`);
}

function laidOut(
  sender: Sender,
  { subject, greeting, paragraphs, details, action, also = null, footnote }: Message,
): string {
  const color = sender.accentColor ?? '#1f3a5f';
  const paragraph = (text: string): string => `<p dir="auto">${escaped(text)}</p>`;
  const rows = details.map(
    ({ label, text }) =>
      `<tr><th scope="row" align="left" style="padding:4px 24px 4px 0;font-weight:normal;color:#5c5c5c">${escaped(label)}</th><td style="padding:4px 0">${escaped(text)}</td></tr>`,
  );
  const button =
    action === null
      ? ''
      : `<p><a href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:4px;background:${color};color:#ffffff;text-decoration:none">${escaped(action.label)}</a></p>`;
  const link =
    also === null
      ? ''
      : `<p><a href="${escaped(also.url)}" style="color:${color}">${escaped(also.label)}</a></p>`;
  return `<!doctype html>
<html lang="${tagOf(sender.language)}">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#1c1c1c">
<div style="max-width:560px;margin:0 auto;border-top:4px solid ${color};padding-top:16px">
${logoOf(sender)}<p style="font-weight:bold" dir="auto">${escaped(sender.name)}</p>
${[greeting, ...paragraphs].map(paragraph).join('\n')}
<table role="presentation" style="border-collapse:collapse">${rows.join('')}</table>
${button}
${link}
${footnote === null ? '' : `<p style="font-size:12px;color:#5c5c5c">${escaped(footnote)}</p>`}
</div>
</body>
</html>
`;
}

/** Renders an email as plain text and as HTML. */
export const emailOf = (sender: Sender, message: Message): MailMessage => ({
  to: oneLine(message.to),
  subject: oneLine(message.subject),
  text: plain(sender, message),
  html: laidOut(sender, message),
  ...(sender.replyTo === null ? {} : { replyTo: oneLine(sender.replyTo) }),
});
