import type { FaultyFile } from '../fault.ts';
import { engine } from './engine.ts';
import { invoices } from './invoices.ts';
import { ledger } from './ledger.ts';
import { limits } from './limits.ts';
import { money } from './money.ts';
import { payments } from './payments.ts';
import { subscriptions } from './subscriptions.ts';
import { usage } from './usage.ts';

/** Faults to plant, by area of the server. */
export const areas: Readonly<Record<string, readonly FaultyFile[]>> = {
  money,
  invoices,
  ledger,
  payments,
  usage,
  limits,
  subscriptions,
  engine,
};
