import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultOf, type Mail, type MailMessage, openMail } from '../../src/platform/mail.ts';
import { type MailServer, type Manner, startMailServer } from '../support/mail-server.ts';

// If the server didn't confirm an email, the type of failure determines whether the email can be sent again (PAY-20).

let server: MailServer;
let mail: Mail;
beforeEach(async () => {
  server = await startMailServer();
  mail = openMail({
    smtpUrl: server.url,
    mailFrom: 'Quarry <billing@quarry.test>',
    dataDir: 'memory:',
    mailFiles: 500,
  });
});
afterEach(async () => {
  mail.close();
  await server.close();
});

const notification: MailMessage = { to: 'ada@shop.test', subject: 'Receipt', text: 'Thank you.' };
const fault = () => mail.send(notification).then(() => null, faultOf);

test.each<[Manner, string | null, number]>([
  ['takes', null, 1],
  ['rejects', 'refused', 0],
  ['postpones', 'unreached', 0],
  ['hangs up', 'doubtful', 1],
])('a mail server that %s results in %j and receives the email %i times', async (manner, known, times) => {
  server.manner = manner;
  expect(await fault()).toBe(known);
  expect(server.notifications).toHaveLength(times);
});

test('an unreachable mail server results in the outcome `unreached`', async () => {
  await server.close();
  expect(await fault()).toBe('unreached');
});

test("emails are sent to a mail server, or stored as files if there's a data directory", () => {
  const delivers = (dataDir: string): boolean =>
    openMail({ smtpUrl: undefined, mailFrom: 'a@b.test', dataDir, mailFiles: 500 }).delivers;
  expect([mail.delivers, delivers('/nowhere'), delivers('memory:')]).toEqual([true, true, false]);
});

test('email files are limited to the newest files in each folder, including files from earlier processes', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quittance-mail-'));
  const open = (): Mail =>
    openMail({ smtpUrl: undefined, mailFrom: 'Quarry <billing@quarry.test>', dataDir, mailFiles: 3 });
  const filed = (folder: string, name: string): MailMessage => ({
    ...notification,
    file: { folder, name },
  });
  try {
    const first = open();
    await Promise.all(['004', '001', '003', '002'].map((name) => first.send(filed('env_a', name))));
    await first.send(filed('env_b', '001'));
    await first.send(notification);
    const files = (folder: string): Promise<string[]> =>
      readdir(path.join(dataDir, 'mail', folder)).then((names) => names.sort());
    expect(await files('env_a')).toEqual(['002.eml', '003.eml', '004.eml']);
    const second = open();
    await second.send(filed('env_a', '005'));
    // Sending an email again replaces its file.
    await second.send(filed('env_a', '005'));
    expect(await files('env_a')).toEqual(['003.eml', '004.eml', '005.eml']);
    expect(await files('env_b')).toEqual(['001.eml']);
    expect((await files('')).filter((name) => name.endsWith('.eml'))).toHaveLength(1);
    expect(await readFile(path.join(dataDir, 'mail', 'env_a', '005.eml'), 'utf8')).toContain(
      'Subject: Receipt',
    );
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
