/** A form's values with nothing left empty. */
export type Filled<Values> = { [Name in keyof Values]: NonNullable<Values[Name]> };

/**
 * Values of a form as its endpoint takes them. A required choice that is still empty is sent as it is: the server's
 * answer names it at its field (docs/decisions/0020).
 */
export function asFilled<Values extends object>(values: Values): Filled<Values> {
  return values as Filled<Values>;
}
