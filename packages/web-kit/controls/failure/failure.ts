/**
 * Reads a failed call. The client throws an error with `status`, `message` and, for 422, `errors` keyed in dot
 * notation (`lines.0.amount`, reliability.md 1.2); an axios error carries the same in `response.data`.
 */
export type FieldErrors = Record<string, string>;

type Shape = {
  status?: unknown;
  message?: unknown;
  errors?: unknown;
  response?: { status?: unknown; data?: { message?: unknown; errors?: unknown } | undefined } | undefined;
};

function shapeOf(failure: unknown): Shape {
  return typeof failure === 'object' && failure !== null ? failure : {};
}

/** The words of a failure, as the server or the client gave them ('Network Error', 'Request aborted'). */
export function failureText(failure: unknown): string {
  const shape = shapeOf(failure);
  const text = shape.response?.data?.message ?? shape.message ?? (typeof failure === 'string' ? failure : undefined);
  return typeof text === 'string' && text !== '' ? text : 'Something went wrong.';
}

/** HTTP status of a failure, or null where no answer came. */
export function failureStatus(failure: unknown): number | null {
  const shape = shapeOf(failure);
  const status = shape.response?.status ?? shape.status;
  return typeof status === 'number' ? status : null;
}

/** First message per field, keys in dot notation; empty for a failure without field errors. */
export function failureFields(failure: unknown): FieldErrors {
  const shape = shapeOf(failure);
  const errors = shape.response?.data?.errors ?? shape.errors;
  if (typeof errors !== 'object' || errors === null) return {};
  const fields: FieldErrors = {};
  for (const [path, messages] of Object.entries(errors)) {
    const first: unknown = Array.isArray(messages) ? messages[0] : messages;
    if (typeof first === 'string') fields[path] = first;
  }
  return fields;
}
