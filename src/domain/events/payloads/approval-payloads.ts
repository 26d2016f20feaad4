import { flag, id, listOf, minor, object, oneOf, orNull, type Payload, text, time } from './fields.ts';
import { customerId } from './shared.ts';

const approval: Payload = {
  approvalId: id('apr', 'ID of the approval.'),
  apiKeyId: orNull(id('key', 'ID of the API key that requested the operation.'), 'the approval is for usage'),
  customerId: orNull(customerId, 'the approval is for one call of an API key'),
  limitId: orNull(
    id('lim', 'ID of the limit that the usage exceeds.'),
    'the approval is for one call of an API key',
  ),
  operation: text('Name of the operation.', 'transactionRefund'),
  money: listOf(
    object(
      {
        name: 'EventApprovalMoney',
        description: 'Money that an operation moves.',
        fields: {
          currency: oneOf('Currency', 'Currency of the amount.', 'usd'),
          amount: minor('Amount in the smallest currency unit.', 6_000),
        },
      },
      'Money that the operation moves.',
    ),
  ),
  previewHash: text('SHA-256 hash of the operation, its arguments, and its effects.', 'f2ca1bb6c7e907d0'),
  expiresAt: time('Time from which the approval can no longer be decided or used.'),
};

/** Payloads of events about approvals and policies of API keys. */
export const approvalPayloads = {
  'approval.requested': approval,
  'approval.decided': {
    ...approval,
    decision: text('`approve` or `reject`.', 'approve'),
    decidedBy: id('mem', 'ID of the member who decided.'),
    ran: flag('Whether Quittance makes the approved call as the API key.', false),
  },
  'api_key.policy_changed': {
    apiKeyId: id('key', 'ID of the API key.'),
    name: text('Name of the API key.', 'Support agent'),
    changedFields: listOf(text('Name of a changed field of the policy.', 'maxAmountPerDay')),
  },
  'api_key.narrowed': {
    apiKeyId: id('key', 'ID of the API key.'),
    name: text('Name of the API key.', 'Support agent'),
    before: listOf(text('Permission that the API key had.', '*:read')),
    permissions: listOf(text('Permission that the API key keeps.', 'customers:read')),
  },
  'app.connected': {
    apiKeyId: id('key', 'ID of the API key that the app acts as.'),
    name: text('Name that the app reported, which can be false.', 'Assistant'),
    preset: text('Preset of the API key.', 'reader'),
    connectedBy: id('mem', 'ID of the member who approved the connection.'),
  },
};
