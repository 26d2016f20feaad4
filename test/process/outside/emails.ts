import { eventually } from '../../support/eventually.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import type { Place, Scene } from './scene.ts';

type EmailNotifications = { emails: { edges: { node: { status: string } }[] } };

/** Scenario: the mail server has accepted an email without confirming it, and another email is waiting. */
export class HeldEmail implements Scene {
  readonly env;
  readonly mail: MailServer;
  /** Email statuses after the restart, from oldest to newest. */
  statuses: string[] = [];

  private constructor(mail: MailServer) {
    this.mail = mail;
    this.env = { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all' };
  }

  static open = async (): Promise<HeldEmail> => new HeldEmail(await startMailServer());

  prepare = async ({ sandbox }: Place): Promise<void> => {
    await sandbox.rest('POST', '/customers', { email: 'a@shop.test', externalId: 'a' });
  };

  ask = async ({ sandbox }: Place): Promise<void> => {
    const invoice = { customerId: 'a', amount: 1_250, description: 'Help' };
    this.mail.manner = 'holds';
    await sandbox.rest('POST', '/invoices', invoice);
    await this.mail.received(1);
    await sandbox.rest('POST', '/invoices', invoice);
  };

  meanwhile = async (): Promise<void> => {
    this.mail.manner = 'takes';
  };

  end = async ({ sandbox }: Place): Promise<void> => {
    await this.mail.received(2);
    this.statuses = await eventually(
      async () => {
        const { emails } = await sandbox.graphql<EmailNotifications>(
          '{ emails(first: 50) { edges { node { status } } } }',
        );
        return emails.edges.map(({ node }) => node.status).toReversed();
      },
      (statuses) => statuses.every((status) => status !== 'pending' && status !== 'sending'),
    );
  };

  close = (): Promise<void> => this.mail.close();
}
