import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultOf, type Letter, type Mail, openMail } from '../../src/infra/mail.ts';
import { type MailServer, type Manner, startMailServer } from '../support/mail-server.ts';

// What is known of a letter a real mail server did not confirm decides whether it may be sent again (PAY-20).

let server: MailServer;
let mail: Mail;
beforeEach(async () => {
  server = await startMailServer();
  mail = openMail({ smtpUrl: server.url, mailFrom: 'Quarry <billing@quarry.test>', dataDir: 'memory:' });
});
afterEach(async () => {
  mail.close();
  await server.close();
});

const letter: Letter = { to: 'ada@shop.test', subject: 'Receipt', text: 'Thank you.' };
const fault = () => mail.send(letter).then(() => null, faultOf);

test.each<[Manner, string | null, number]>([
  ['takes', null, 1],
  ['refuses', 'refused', 0],
  ['postpones', 'unreached', 0],
  ['hangs up', 'doubtful', 1],
])('a server that %s leaves %j, having got the letter %i times', async (manner, known, times) => {
  server.manner = manner;
  expect(await fault()).toBe(known);
  expect(server.letters).toHaveLength(times);
});

test('a server that is not there was not reached', async () => {
  await server.close();
  expect(await fault()).toBe('unreached');
});

test('letters arrive at a server and as files, not where nothing is kept', () => {
  const delivers = (dataDir: string): boolean => openMail({ smtpUrl: undefined, mailFrom: 'a@b.test', dataDir }).delivers;
  expect([mail.delivers, delivers('/nowhere'), delivers('memory:')]).toEqual([true, true, false]);
});
