/**
 * State machines as data, and the one function that decides an event.
 *
 * The tables stand in license-machine.ts, application-machine.ts, sales-order-machine.ts and
 * small-machines.ts. `decide` knows no clock, no database and no permission: the caller gathers the facts,
 * compares `edge.who` with the actor, and carries out the effects in one transaction (domain.md 1.1).
 */
import { spell } from '../text/english.ts';

/** Statements about the record, gathered by the caller. A fact that is absent counts as false: a guard fails closed. */
export type Facts = Readonly<Record<string, boolean | undefined>>;

/** A named precondition: holds when at least one of `any_of` is true. `message` tells a person what is missing. */
export interface Guard {
  readonly name: string;
  readonly any_of: readonly string[];
  readonly message: string;
}

/**
 * One row of a transition table. `who` is copied from domain/transitions.json:
 * 'staff', 'staff:<permission>' ('+' joins two), 'staff:super', 'staff_admin', 'system', 'customer',
 * 'customer:<roles>'.
 */
export interface Edge<State extends string = string, Event extends string = string> {
  readonly from: State;
  readonly event: Event;
  readonly to: State;
  readonly who: readonly string[];
  readonly guards: readonly Guard[];
}

/** Codes of a machine's refusals: because of the state, or because a guard does not hold. */
export type MachineConflict = `${string}.status_conflict` | `${string}.phase_conflict` | `${string}.precondition`;

export interface Machine<State extends string = string, Event extends string = string> {
  readonly name: string;
  /** The word people read: 'license', 'application'. */
  readonly noun: string;
  /** Code of a refusal because of the state: 'license.phase_conflict'. */
  readonly conflict_code: MachineConflict;
  readonly initial: State;
  readonly terminal: readonly State[];
  readonly labels: Readonly<Record<State, string>>;
  readonly event_labels: Readonly<Record<Event, string>>;
  readonly edges: readonly Edge<State, Event>[];
}

export interface Refusal<Event extends string = string> {
  readonly code: MachineConflict;
  /** Plain words for the button's hint and for the 409 or 422 answer. */
  readonly message: string;
  /** Events that the state allows, their guards aside. */
  readonly allowed: readonly Event[];
  /** Names of the preconditions that do not hold; empty when the state itself refuses. */
  readonly unmet: readonly { readonly guard: string; readonly message: string }[];
}

export type Decision<State extends string, Event extends string> =
  | { readonly next: State; readonly edge: Edge<State, Event>; readonly refused?: undefined }
  | { readonly refused: Refusal<Event>; readonly next?: undefined };

export function guard(name: string, message: string, anyOf: readonly string[] = [name]): Guard {
  return { name, any_of: anyOf, message };
}

/** Events that some row of the table offers in `state`, in the order of the table. */
export function allowedEvents<S extends string, E extends string>(machine: Machine<S, E>, state: S): E[] {
  return [...new Set(machine.edges.filter((edge) => edge.from === state).map((edge) => edge.event))];
}

/**
 * The next state, or why the event is refused: `<noun>.phase_conflict` and the like when the state has no such
 * event, `<machine>.precondition` when a guard does not hold (every one that fails is listed, not only the first).
 */
export function decide<S extends string, E extends string>(
  machine: Machine<S, E>, state: S, event: E, facts: Facts,
): Decision<S, E> {
  const edge = machine.edges.find((candidate) => candidate.from === state && candidate.event === event);
  const allowed = allowedEvents(machine, state);
  if (!edge) {
    const message = conflictMessage(machine, state, event, allowed);
    return { refused: { code: machine.conflict_code, message, allowed, unmet: [] } };
  }
  const unmet = edge.guards
    .filter((candidate) => !candidate.any_of.some((fact) => facts[fact] === true))
    .map((failed) => ({ guard: failed.name, message: failed.message }));
  if (unmet.length === 0) return { next: edge.to, edge };
  const message = unmet.map((item) => item.message).join(' ');
  return { refused: { code: `${machine.name}.precondition`, message, allowed, unmet } };
}

/** Whether the steps are a walk in the table from its initial state (invariant I9). */
export function isWalk<S extends string, E extends string>(
  machine: Machine<S, E>, steps: readonly { from: S; event: E; to: S }[],
): boolean {
  let state = machine.initial;
  for (const step of steps) {
    const known = machine.edges.some((e) => e.from === step.from && e.event === step.event && e.to === step.to);
    if (step.from !== state || !known) return false;
    state = step.to;
  }
  return true;
}

function conflictMessage<S extends string, E extends string>(
  machine: Machine<S, E>, state: S, event: E, allowed: readonly E[],
): string {
  const label = machine.event_labels[event];
  const now = `This ${spell(machine.noun)} is "${machine.labels[state]}", so "${label}" is not possible.`;
  if (allowed.length === 0) return `${now} Nothing more can be done with it.`;
  return `${now} Possible now: ${allowed.map((name) => machine.event_labels[name]).join(', ')}.`;
}
