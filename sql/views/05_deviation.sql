-- sample_deviation: the standard deviation of a sample of n values from their sum and the sum of
-- their squares. NULL where one of these is, or where there are less than two values.
CREATE OR REPLACE MACRO sample_deviation(n, total, squares) AS
    CASE WHEN n * total * squares IS NOT NULL
        THEN sqrt(greatest(n * squares - total ** 2, 0) / nullif(n * (n - 1), 0)) END;
