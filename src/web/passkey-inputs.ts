import { z } from 'zod';

// What authenticators answer, as browsers write it (WebAuthn Level 3, RegistrationResponseJSON and AuthenticationResponseJSON). Members that newer
// browsers add are left out.

/** Bytes in base64url, so many characters at most. */
const bytes = (maximum: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .regex(/^[A-Za-z0-9_-]+$/, 'must be bytes in base64url')
    .max(maximum, `must have at most ${maximum} characters`);

const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z
    .record(z.string(), z.unknown())
    .optional()
    .transform(() => ({})),
};

/** The answer to a registration: the attestation, which is not looked at beyond the key, is the longest part. */
export const registrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_096),
    attestationObject: bytes(65_536),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/, 'must be the name of a transport'))
      .max(10)
      .optional(),
  }),
});

/** The answer to a sign-in. */
export const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_096),
    authenticatorData: bytes(4_096),
    signature: bytes(4_096),
    userHandle: bytes(128)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
});
