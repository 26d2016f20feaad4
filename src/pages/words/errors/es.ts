import type { Errors } from '../areas.ts';

/** What customers' pages say in Spanish about what went wrong. */
export const words: Errors = {
  problems: {
    number: 'Revisa el número de la tarjeta.',
    expiry: 'Revisa la fecha de caducidad.',
    cvc: 'Revisa el código de seguridad: 3 o 4 cifras.',
    companyName: 'Escribe el nombre de la empresa.',
    line1: 'Escribe la calle y el número.',
    city: 'Escribe la ciudad.',
    postalCode: 'Escribe el código postal.',
    state: 'Revisa el estado o la provincia.',
    country: 'Elige un país.',
    name: 'Escribe tu nombre.',
    password: 'Revisa la contraseña: 10 caracteres o más.',
    taxDocument: 'Revisa el número de identificación fiscal.',
    email: 'Escribe una dirección de correo electrónico.',
    phone: 'Escribe un número de teléfono.',
    consent: 'Acepta las condiciones para continuar.',
    promoCode: 'Este código promocional no se puede usar aquí.',
  },

  cardFieldsMissing: 'Los campos de la tarjeta no se pueden cargar ahora mismo. Vuelve a cargar la página.',
  stillWaiting: 'Aún no hay respuesta. Estamos comprobando si se ha completado …',
  amountChanged: 'El importe ha cambiado. Revísalo y vuelve a pagar.',
  declined: 'El pago se ha rechazado. Inténtalo de nuevo o usa otra tarjeta.',
  declines: {
    card_declined: 'La tarjeta se ha rechazado. Inténtalo de nuevo o usa otra tarjeta.',
    insufficient_funds: 'La tarjeta no tiene fondos suficientes. Usa otra tarjeta.',
    expired_card: 'La tarjeta está caducada. Usa otra tarjeta.',
    cvc_not_checked: 'Tu banco no pudo comprobar el código de seguridad. Usa otra tarjeta.',
    incorrect_cvc: 'El código de seguridad no es correcto. Revísalo e inténtalo de nuevo.',
    authentication_failed: 'No se ha confirmado con tu banco. Inténtalo de nuevo o usa otra tarjeta.',
    authentication_abandoned: 'No se ha confirmado con tu banco. Inténtalo de nuevo o usa otra tarjeta.',
    authentication_required:
      'La tarjeta se tiene que confirmar con tu banco. Inténtalo de nuevo o usa otra tarjeta.',
  },

  codes: {
    already_has_active_subscription: 'Ya tienes una suscripción.',
    charge_in_progress: 'Hay otro pago en curso. Espera a que termine antes de intentarlo de nuevo.',
    customer_not_found: 'Este enlace no es válido. Pide uno nuevo al vendedor.',
    feature_disabled: 'Esto ya no se ofrece.',
    feature_not_found: 'Esto ya no se ofrece.',
    feature_not_in_plan: 'Esto no forma parte del plan.',
    forbidden: 'Esto no es posible aquí. Pregunta al vendedor.',
    included_limit_reached: 'El plan no admite más.',
    price_not_found: 'Esto no se vende con este periodo de facturación.',
    idempotency_key_mismatch:
      'Un intento anterior llegó al vendedor. Comprueba cómo está todo antes de intentarlo de nuevo.',
    invalid_subscription_status: 'Esto ya no es posible.',
    missing_regional_price: 'Esto no se vende en la moneda de tu país. Pregunta al vendedor.',
    no_outstanding_invoice: 'No queda nada por pagar.',
    offer_not_applicable:
      'El descuento ya no está disponible. Ahora se muestra el precio completo; paga de nuevo para aceptarlo.',
    payment_method_not_found: 'La tarjeta guardada ya no se puede usar aquí. Introduce una tarjeta.',
    payment_not_found: 'Ya no hay nada que confirmar.',
    not_found: 'Esto ya no se ofrece.',
    plan_not_found: 'Este plan ya no se ofrece.',
    plan_unavailable: 'Este plan ya no se ofrece.',
    provider_unsupported:
      'La tarjeta no se puede aceptar ahora mismo. Vuelve a cargar la página e introdúcela de nuevo.',
    rate_limited: 'Ha habido demasiados intentos. Espera un poco e inténtalo de nuevo.',
    unauthorized: 'Este enlace ya no es válido. Pide uno nuevo al vendedor.',
    validation_error: 'Hay algo mal rellenado. Revisa lo que has escrito.',
  },

  reasons: {
    card_not_eligible:
      'El descuento no es para esta tarjeta. Ahora se muestra el precio completo; paga de nuevo para aceptarlo.',
    tax_not_computed: 'Los impuestos dependen de dónde estás. Rellena el estado o la provincia.',
  },

  promoReasons: {
    unknown: 'Este código promocional no existe.',
    inactive: 'Este código promocional ya no es válido.',
    expired: 'Este código promocional ha caducado.',
    max_redemptions_reached: 'Este código promocional está agotado.',
    already_redeemed: 'Ya has usado este código promocional.',
    plan_not_eligible: 'Este código promocional es para otro plan.',
    interval_not_eligible: 'Este código promocional es para otro periodo de facturación.',
    intro_offer_active: 'Ya se aplica una oferta mejor.',
    currency_not_configured: 'Este código promocional es para otra moneda.',
    below_minimum: 'Este código promocional necesita un importe mayor.',
  },
};
