import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from './config.ts';

/** A letter to one person. `text` is always there; `html` says the same with layout. */
export type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly { readonly filename: string; readonly content: Buffer; readonly contentType: string }[];
};

/** How the process sends mail. */
export type Mail = {
  /** Hands the letter to the mail server and waits for its word; throws what the server or the connection says against it. Never inside a transaction. */
  readonly send: (letter: Letter) => Promise<void>;
  readonly close: () => void;
};

/** A mail server that does not answer holds a caller no longer than this. */
const timeoutMs = 10_000;

const optionsOf = (from: string, letter: Letter): SendMailOptions => ({
  from,
  ...letter,
  // As one address, whatever signs are in it: a text would be read as a list.
  to: { name: '', address: letter.to },
  attachments: letter.attachments?.map((attachment) => ({ ...attachment })) ?? [],
});

/** Keeps letters as files instead of sending them: development has no mail server. Each is one `.eml`, which mail programs open. */
function capture(from: string, directory: string | null): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async (letter) => {
      const { message } = await transport.sendMail(optionsOf(from, letter));
      if (directory === null) return;
      await mkdir(directory, { recursive: true });
      await writeFile(path.join(directory, `${randomUUID()}.eml`), message as Buffer);
    },
    close: () => transport.close(),
  };
}

/** Mail over the configured server; without one, letters are kept in `mail` below the data directory, or dropped when nothing is kept. */
export function openMail(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mail {
  if (config.smtpUrl === undefined) {
    return capture(config.mailFrom, config.dataDir === 'memory:' ? null : path.join(config.dataDir, 'mail'));
  }
  const transport = createTransport({
    url: config.smtpUrl,
    pool: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return {
    send: async (letter) => {
      await transport.sendMail(optionsOf(config.mailFrom, letter));
    },
    close: () => transport.close(),
  };
}
