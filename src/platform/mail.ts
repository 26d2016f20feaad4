import path from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import type { Config } from './config.ts';
import { newId } from './ids.ts';
import { MailFiles } from './mail-files.ts';

/** Email to one recipient. `html` is an optional formatted version of `text`. */
export type MailMessage = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Reply-to address. Defaults to the address of the sender. */
  readonly replyTo?: string;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly content: Buffer;
    readonly contentType: string;
  }[];
  /**
   * File name on installations without a mail server. Names in a folder must be in ascending order of time. Defaults to a generated name in the main
   * directory.
   */
  readonly file?: { readonly folder: string; readonly name: string };
};

export type Mail = {
  /** True if emails are sent or stored as files. */
  readonly delivers: boolean;
  /** True if emails are sent to a mail server. */
  readonly leaves: boolean;
  /** Maximum number of stored emails per folder. `null` if emails are sent to a mail server or not stored. */
  readonly keeps: number | null;
  /** Sends an email and waits for the mail server to accept it. Throws server and connection errors. Must not be called inside a transaction. */
  readonly send: (notification: MailMessage) => Promise<void>;
  /** Deletes the stored files of emails. */
  readonly forget: (folder: string, names: readonly string[]) => Promise<void>;
  /** Counts the result of an email delivery, including retries. */
  readonly ended: (outcome: string) => void;
  /** Number of emails since the process started, by delivery result. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly close: () => void;
};

/** Returns new email counters. Every transport uses these counters. */
function counting(): Pick<Mail, 'ended' | 'outcomes'> {
  const outcomes = new Map<string, number>();
  return { outcomes, ended: (outcome) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1) };
}

/** Timeout of each step of a connection to the mail server, in milliseconds. */
const timeoutMs = 10_000;

const optionsOf = (from: string, { file: _file, ...notification }: MailMessage): SendMailOptions => ({
  from,
  ...notification,
  // Recipients are passed as objects, because the library would parse a string as a list of addresses.
  to: { name: '', address: notification.to },
  ...(notification.replyTo === undefined ? {} : { replyTo: { name: '', address: notification.replyTo } }),
  attachments: notification.attachments?.map((attachment) => ({ ...attachment })) ?? [],
});

/** Type of a failed delivery: permanently rejected, mail server unreachable, or possibly delivered. */
export type MailFault = 'refused' | 'unreached' | 'doubtful';

/** Codes of errors that occur before the email is transmitted. */
const beforehand = new Set(['EDNS', 'EAUTH', 'ETLS', 'EPROXY']);

/** Returns the type of the failed delivery for an error that `send` threw. */
export function faultOf(error: unknown): MailFault {
  const { code, command, responseCode, syscall, timeoutType } = error as {
    readonly [field: string]: unknown;
  };
  if (typeof responseCode === 'number') {
    return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA') ? 'refused' : 'unreached';
  }
  // These errors mean that the email itself is invalid. They occur before the email is transmitted.
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'refused';
  const isBefore =
    syscall === 'connect' ||
    beforehand.has(String(code)) ||
    (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT');
  return isBefore ? 'unreached' : 'doubtful';
}

type Library = typeof import('nodemailer');

/** Creates a mail transport that loads its library when the first email is sent. */
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

/** Transport that stores emails as files, for development without a mail server. */
function capture(from: string, directory: string | null, limit: number): Mail {
  const transport = onDemand(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  );
  const files = directory === null ? null : new MailFiles(directory, limit);
  return {
    ...counting(),
    delivers: files !== null,
    leaves: false,
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

/**
 * Opens the email transport. Without a mail server, emails are stored in the folder `mail` of the data directory, or discarded if storage is
 * disabled.
 */
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
      // An email may have been delivered before the connection broke, so the sender decides about retries.
      maxRequeues: 0,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    }),
  );
  return {
    ...counting(),
    delivers: true,
    leaves: true,
    keeps: null,
    send: async (notification) => {
      await (await transport.opened()).sendMail(optionsOf(config.mailFrom, notification));
    },
    forget: async () => undefined,
    close: () => transport.close(),
  };
}
