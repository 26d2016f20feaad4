import path from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Config } from './config.ts';
import { newId } from './ids.ts';
import { MailFiles } from './mail-files.ts';

/** An email to one person. `text` is always there; `html` says the same with layout. */
export type MailMessage = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Where answers go; the sender of the installation when left out. */
  readonly replyTo?: string;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly content: Buffer;
    readonly contentType: string;
  }[];
  /** Which file keeps it where there is no mail server: names of a folder grow with time. A file of its own among the others when left out. */
  readonly file?: { readonly folder: string; readonly name: string };
};

/** How the process sends mail. */
export type Mail = {
  /** Whether emails arrive anywhere: at a mail server, or as files. */
  readonly delivers: boolean;
  /** How many emails of a folder are kept as files, the newest; null where a mail server takes all of them, and where nothing is kept. */
  readonly keeps: number | null;
  /** Hands the email to the mail server and waits for its word; throws what the server or the connection says against it. Never inside a transaction. */
  readonly send: (notification: MailMessage) => Promise<void>;
  /** Removes the files of emails, where there are any. */
  readonly forget: (folder: string, names: readonly string[]) => Promise<void>;
  /** Counts how an email of the outbox ended, or that it is tried again. */
  readonly ended: (outcome: string) => void;
  /** How often each outcome was counted since the start. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly close: () => void;
};

/** What every way of sending counts. */
function counting(): Pick<Mail, 'ended' | 'outcomes'> {
  const outcomes = new Map<string, number>();
  return { outcomes, ended: (outcome) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1) };
}

/** A mail server that does not answer holds a caller no longer than this. */
const timeoutMs = 10_000;

const optionsOf = (from: string, { file: _file, ...notification }: MailMessage): SendMailOptions => ({
  from,
  ...notification,
  // As one address, whatever signs are in it: a text would be read as a list.
  to: { name: '', address: notification.to },
  ...(notification.replyTo === undefined ? {} : { replyTo: { name: '', address: notification.replyTo } }),
  attachments: notification.attachments?.map((attachment) => ({ ...attachment })) ?? [],
});

/** What is known of an email that `send` threw for: rejected permanently, not taken for now, or perhaps delivered although nobody said so. */
export type MailFault = 'refused' | 'unreached' | 'doubtful';

/** Codes of failures before an email is handed over. */
const beforehand = new Set(['EDNS', 'EAUTH', 'ETLS', 'EPROXY']);

/** Judges what `send` threw. */
export function faultOf(error: unknown): MailFault {
  const { code, command, responseCode, syscall, timeoutType } = error as {
    readonly [field: string]: unknown;
  };
  if (typeof responseCode === 'number') {
    return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA') ? 'refused' : 'unreached';
  }
  // Made of what the caller gave, before anybody was asked.
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'refused';
  const isBefore =
    syscall === 'connect' ||
    beforehand.has(String(code)) ||
    (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT');
  return isBefore ? 'unreached' : 'doubtful';
}

type Library = typeof import('nodemailer');

/** A transport that is opened, and the library loaded, with the first email. */
function onDemand<T extends { close: () => void }>(
  open: (library: Library) => T,
): { readonly opened: () => Promise<T>; readonly close: () => void } {
  let transport: T | null = null;
  return {
    opened: async () => {
      const library = await import('nodemailer');
      transport ??= open(library);
      return transport;
    },
    close: () => transport?.close(),
  };
}

/** Keeps emails as files instead of sending them: development has no mail server. */
function capture(from: string, directory: string | null, limit: number): Mail {
  const transport = onDemand(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  );
  const files = directory === null ? null : new MailFiles(directory, limit);
  return {
    ...counting(),
    delivers: files !== null,
    keeps: files === null ? null : limit,
    send: async (notification) => {
      const { message } = await (await transport.opened()).sendMail(optionsOf(from, notification));
      const { folder, name } = notification.file ?? { folder: '', name: newId('mail') };
      await files?.keep(folder, name, message as Buffer);
    },
    forget: async (folder, names) => files?.forget(folder, names),
    close: () => transport.close(),
  };
}

/** Mail over the configured server; without one, the newest emails are kept in `mail` below the data directory, or dropped when nothing is kept. */
export function openMail(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'mailFiles' | 'dataDir'>): Mail {
  if (config.smtpUrl === undefined) {
    return capture(
      config.mailFrom,
      config.dataDir === 'memory:' ? null : path.join(config.dataDir, 'mail'),
      config.mailFiles,
    );
  }
  const transport = onDemand(({ createTransport }) =>
    createTransport({
      url: config.smtpUrl,
      pool: true,
      // A connection lost midway may have delivered the email: the sender decides.
      maxRequeues: 0,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    }),
  );
  return {
    ...counting(),
    delivers: true,
    keeps: null,
    send: async (notification) => {
      await (await transport.opened()).sendMail(optionsOf(config.mailFrom, notification));
    },
    forget: async () => undefined,
    close: () => transport.close(),
  };
}
