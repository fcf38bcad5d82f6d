/** Asks once about a ZIP code without a known local rate; the answer is kept for every invoice to come. */
import { useState } from 'react';
import { ApiError } from '#kit/transport.ts';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { RateAnswer } from './invoice-draft.web.ts';

interface UnknownZip { state: string; zip: string }
interface Question {
  unknown: readonly UnknownZip[];
  /** Notes the question of a refused save, and hands its failure on. */
  watch: <T>(work: Promise<T>) => Promise<T>;
}

export function useLocalRateQuestion(): Question {
  const [unknown, setUnknown] = useState<readonly UnknownZip[]>([]);
  return {
    unknown,
    watch: async (work) => {
      try {
        return await work;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'tax.local_rate_unknown') {
          setUnknown(error.body['unknown'] as UnknownZip[]);
        }
        throw error;
      }
    },
  };
}

interface Props { question: Question; answers: RateAnswer[]; onChange: (answers: RateAnswer[]) => void }

export function LocalRateQuestion({ question, answers, onChange }: Props) {
  if (question.unknown.length === 0) return null;
  const answer = (place: UnknownZip, rate_ppm: number | null) =>
    onChange([...answers.filter((one) => one.zip !== place.zip), { ...place, rate_ppm }]);
  return (
    <>
      {question.unknown.map((place) => {
        const rate = answers.find((one) => one.zip === place.zip)?.rate_ppm ?? null;
        const where = `ZIP ${place.zip}, ${place.state}`;
        return (
          <Callout key={place.zip} tone="warn" live title={`Enter the local tax rate in ${where}`}>
            <p>It is charged on top of the state rate. Your answer is saved, so nobody is asked again.</p>
            <PercentField label={`Local rate, ${where}`} name={`local_rates.${place.zip}`} error={undefined}
              value={rate} onChange={(value) => answer(place, value)} />
            <Checkbox label={`The state rate is right in ${where}`} name={`state_rate.${place.zip}`} error={undefined}
              value={rate === 0} onChange={(right) => answer(place, right ? 0 : null)} />
          </Callout>
        );
      })}
    </>
  );
}
