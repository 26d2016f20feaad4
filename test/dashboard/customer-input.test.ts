import { describe, expect, it } from 'vitest';
import {
  changesOf,
  emptyForm,
  inputOf,
  metadataOf,
} from '../../src/dashboard/pages/customers/customer-input.ts';

const ada = { ...emptyForm, email: 'ada@example.com', fullName: 'Ada' };
const lima = { hasAddress: true, line1: '1 Main St', city: 'Lima', postalCode: '15001', country: 'PE' };

describe('the customer form', () => {
  it('sends filled fields and omits empty ones', () => {
    expect(inputOf({ ...ada, email: ' ada@example.com ', externalId: ' u_1 ' })).toEqual({
      email: 'ada@example.com',
      fullName: 'Ada',
      externalId: 'u_1',
    });
    expect(inputOf({ ...ada, ...lima })).toEqual({
      email: 'ada@example.com',
      fullName: 'Ada',
      address: { line1: '1 Main St', city: 'Lima', postalCode: '15001', country: 'PE' },
    });
  });

  it('is incomplete without an email address or with invalid metadata', () => {
    expect(inputOf(emptyForm)).toBeNull();
    expect(inputOf({ ...ada, metadata: '[1]' })).toBeNull();
    expect(inputOf({ ...ada, metadata: '{"tier": 1}' })?.metadata).toEqual({ tier: 1 });
    expect(metadataOf(' ')).toEqual({});
    expect(metadataOf('{')).toBeNull();
  });

  it('updates only changed fields, and clears fields that the user emptied', () => {
    const before = { ...ada, ...lima, taxDocument: 'PE123', timezone: 'America/Lima' };
    expect(changesOf(before, before)).toEqual({});
    expect(changesOf(before, { ...before, fullName: 'Ada L.' })).toEqual({ fullName: 'Ada L.' });
    expect(changesOf(before, { ...before, taxDocument: '', timezone: '', hasAddress: false })).toEqual({
      taxDocument: null,
      timezone: 'UTC',
      address: null,
    });
    expect(changesOf({ ...before, externalId: 'u_1' }, before)).toEqual({ externalId: null });
    expect(changesOf(before, { ...before, email: '' })).toBeNull();
  });
});
