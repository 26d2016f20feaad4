import { encode } from 'uqr';
import type { PaymentInstructions as Stored } from '../../../../domain/rows/attempt-rows.ts';
import { builder } from '../../../../graphql/reading/builder.ts';

const PaymentInstructionType = builder.enumType('PaymentInstructionType', {
  description: 'Type of the instructions to a payer.',
  values: {
    qr: { description: 'A code to scan or to copy, such as a Pix code.' },
    slip: { description: 'A payment slip with a line of digits, such as a boleto.' },
    bank_details: { description: 'A bank account for a transfer with a reference.' },
  } as const,
});

/** Quiet zone around a QR code, in modules. */
const border = 4;

/** Returns the dark modules of a QR code as an SVG path, and its width in modules. */
function drawn(code: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(code, { ecc: 'M', border });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { path, size };
}

const QrCode = builder.objectRef<{ readonly path: string; readonly size: number }>('QrCode').implement({
  description: 'QR code as a drawing.',
  fields: (t) => ({
    path: t.member('path', 'String').describe('Dark modules of the QR code as the path of an SVG image.'),
    size: t
      .member('size', 'Int')
      .describe('Width and height of the QR code in modules, including its quiet zone.'),
  }),
});

export const PaymentInstructions = builder.objectRef<Stored>('PaymentInstructions').implement({
  description: 'Instructions for a payment that the payer starts.',
  fields: (t) => ({
    type: t.field({
      type: PaymentInstructionType,
      description: 'Type of the instructions.',
      resolve: ({ kind }) => kind,
    }),
    code: t.string({
      nullable: true,
      description: 'Code to copy, which is also the content of the QR code. `null` unless the type is `qr`.',
      resolve: (stored) => (stored.kind === 'qr' ? stored.code : null),
    }),
    qrCode: t.field({
      type: QrCode,
      nullable: true,
      description: 'QR code of `code`. `null` unless the type is `qr`.',
      resolve: (stored) => (stored.kind === 'qr' ? drawn(stored.code) : null),
    }),
    line: t.string({
      nullable: true,
      description: 'Line of digits of the payment slip. `null` unless the type is `slip`.',
      resolve: (stored) => (stored.kind === 'slip' ? stored.line : null),
    }),
    accountHolder: t.string({
      nullable: true,
      description: 'Holder of the bank account. `null` unless the type is `bank_details`.',
      resolve: (stored) => (stored.kind === 'bank_details' ? stored.holder : null),
    }),
    iban: t.string({
      nullable: true,
      description: 'IBAN of the bank account. `null` unless the type is `bank_details`.',
      resolve: (stored) => (stored.kind === 'bank_details' ? stored.iban : null),
    }),
    bankName: t.string({
      nullable: true,
      description: 'Name of the bank. `null` unless the type is `bank_details`.',
      resolve: (stored) => (stored.kind === 'bank_details' ? stored.bankName : null),
    }),
    reference: t.string({
      nullable: true,
      description:
        'Reference to enter in the transfer: `RF`, two check digits, and the invoice number (ISO 11649). `null` unless the type is `bank_details`.',
      resolve: (stored) => (stored.kind === 'bank_details' ? stored.reference : null),
    }),
  }),
});
